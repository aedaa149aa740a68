import type { LabTest, LabTestPage, LabTestQuery, OrderSet } from '../../contract/lab-tests.ts'
import type {
  Marker,
  MarkerPage,
  MarkerPaging,
  MarkerQuery,
  TestMarkerPage,
  TestMarkerQuery,
} from '../../contract/markers.ts'
import { markerPageSize } from '../../contract/values/bounds.ts'
import { type ListOptions, listByCursor, listByNumber } from '../pagination/list-pages.ts'
import type { PageCall } from '../pagination/page-call.ts'
import type { Contract } from '../transport/load-modules.ts'
import type { Transport } from '../transport/transport.ts'

/** The methods of `client.labTests`, for the catalogue of lab tests and markers. */
export class LabTestsApi {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists markers (specification 4.4; the filter names are assumed). If you pass both `lab_id` and `lab_slug`, the
   * service uses `lab_slug`.
   *
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @example
   * for await (const marker of client.labTests.listMarkers({ name: 'glucose' })) console.log(marker.name)
   */
  listMarkers(query: MarkerQuery = {}, options?: ListOptions): PageCall<MarkerPage, Marker> {
    const endpoint = ({ labTests }: Contract) => labTests.listMarkers
    return listByNumber(
      { endpoint, input: { query }, options },
      (input, call) => this.#transport.send(endpoint, input, call),
      markerPageSize.default,
    )
  }

  /**
   * Lists a lab test's markers (specification 4.5).
   *
   * @param labTestId The lab test's id, a UUID.
   * @throws {NotFoundError} when the lab test does not exist.
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @example
   * const { markers, total } = await client.labTests.listTestMarkers(labTestId, { size: 100 })
   */
  listTestMarkers(
    labTestId: string,
    query: TestMarkerQuery = {},
    options?: ListOptions,
  ): PageCall<TestMarkerPage, Marker> {
    const endpoint = ({ labTests }: Contract) => labTests.listTestMarkers
    return listByNumber(
      { endpoint, input: { params: { lab_test_id: labTestId }, query }, options },
      (input, call) => this.#transport.send(endpoint, input, call),
      markerPageSize.default,
    )
  }

  /**
   * Lists the markers in an order set's lab tests and add-ons (specification 4.6; sending `page` and `size` in the
   * query is an assumption). The call only reads data, so it is retried after temporary failures.
   *
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @example
   * const page = await client.labTests.listOrderSetMarkers({ lab_test_ids: [labTestId] })
   */
  listOrderSetMarkers(
    orderSet: OrderSet,
    query: MarkerPaging = {},
    options?: ListOptions,
  ): PageCall<MarkerPage, Marker> {
    const endpoint = ({ labTests }: Contract) => labTests.listOrderSetMarkers
    return listByNumber(
      { endpoint, input: { query, body: orderSet }, options },
      (input, call) => this.#transport.send(endpoint, input, call),
      markerPageSize.default,
    )
  }

  /**
   * Lists lab tests (specification 4.12; the filters and fields are assumed). Replaces the deprecated `GET
   * /v3/lab_tests`.
   *
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @example
   * for await (const test of client.labTests.list({ lab_test_limit: 20 })) console.log(test.name)
   */
  list(query: LabTestQuery = {}, options?: ListOptions): PageCall<LabTestPage, LabTest> {
    const endpoint = ({ labTests }: Contract) => labTests.listLabTests
    return listByCursor({ endpoint, input: { query }, options }, (input, call) =>
      this.#transport.send(endpoint, input, call),
    )
  }
}
