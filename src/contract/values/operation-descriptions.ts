import type { OperationId } from './operation-facts.ts'

/** What readers want to know of an operation. */
export interface OperationDescription {
  /** What the operation does, in a few words. */
  title: string
  /** The section of the specification, such as `4.8`. */
  section: string
}

/** The description of every operation. */
export const operationDescriptions: Record<OperationId, OperationDescription> = {
  'insurance.create': { title: 'Create insurance', section: '4.1' },
  'users.updateInfo': { title: 'Update user info', section: '4.2' },
  'link.bulkImport': { title: 'Bulk import connections', section: '4.3' },
  'link.listBulkOps': { title: 'List bulk operations (path and shape assumed)', section: '4.3' },
  'labTests.listMarkers': { title: 'List markers (names of the filters assumed)', section: '4.4' },
  'labTests.listTestMarkers': { title: 'List markers of a lab test', section: '4.5' },
  'labTests.listOrderSetMarkers': {
    title: 'List markers of an order set (paging assumed)',
    section: '4.6',
  },
  'users.createSignInToken': { title: 'Create sign-in token', section: '4.7' },
  'orders.bookPhlebotomyAppointment': { title: 'Book phlebotomy appointment', section: '4.8' },
  'link.listProviders': { title: 'List providers', section: '4.9' },
  'link.deleteConnection': { title: 'Delete a provider connection', section: '4.10' },
  'aggregate.query': { title: 'Aggregate query', section: '4.11' },
  'aggregate.queryParquet': { title: 'Aggregate query, as Parquet files', section: '4.11' },
  'summaries.list': {
    title: 'List summaries (path, parameters and shape assumed)',
    section: '4.12',
  },
  'orders.create': { title: 'Create an order (shape assumed)', section: '4.12' },
  'orders.getPhlebotomyAppointment': {
    title: 'Get the phlebotomy appointment of an order (assumption)',
    section: '4.12',
  },
  'orders.downloadRequisition': {
    title: 'Download the requisition form (path assumed)',
    section: '4.12',
  },
  'labTests.list': { title: 'List lab tests, page by page (filters assumed)', section: '4.12' },
  'labTests.listAll': { title: 'List all lab tests', section: '9' },
}
