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
import {
  cursorPages,
  type ListOptions,
  numberedPages,
  type PageCall,
} from '../pagination/pagination.ts'
import type { Contract } from '../transport/load-contract.ts'
import type { Transport } from '../transport/transport.ts'

/** The catalogue of lab tests and markers. */
export class LabTests {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists markers (specification 4.4). When both `lab_id` and `lab_slug` are given, the service uses `lab_slug`.
   *
   * @throws {PaginationError} when the walk cannot go on, or after `maxPages` pages.
   * @example
   * for await (const marker of client.labTests.listMarkers({ name: 'glucose' })) console.log(marker.name)
   */
  listMarkers(query: MarkerQuery = {}, options?: ListOptions): PageCall<MarkerPage, Marker> {
    const endpoint = ({ labTests }: Contract) => labTests.listMarkers
    return numberedPages(
      { endpoint, input: { query }, options },
      (input, call) => this.#transport.send(endpoint, input, call),
      markerPageSize.default,
    )
  }

  /**
   * Lists the markers of a lab test (specification 4.5).
   *
   * @param labTestId A UUID.
   * @throws {NotFoundError} when there is no such lab test.
   * @throws {PaginationError} when the walk cannot go on, or after `maxPages` pages.
   * @example
   * const { markers, total } = await client.labTests.listTestMarkers(labTestId, { size: 100 })
   */
  listTestMarkers(
    labTestId: string,
    query: TestMarkerQuery = {},
    options?: ListOptions,
  ): PageCall<TestMarkerPage, Marker> {
    const endpoint = ({ labTests }: Contract) => labTests.listTestMarkers
    return numberedPages(
      { endpoint, input: { params: { lab_test_id: labTestId }, query }, options },
      (input, call) => this.#transport.send(endpoint, input, call),
      markerPageSize.default,
    )
  }

  /**
   * Lists the markers of an order set: of its lab tests and of what is added to them (specification 4.6). It changes
   * nothing, so it is repeated after a failure that may pass.
   *
   * @throws {PaginationError} when the walk cannot go on, or after `maxPages` pages.
   * @example
   * const page = await client.labTests.listOrderSetMarkers({ lab_test_ids: [labTestId] })
   */
  listOrderSetMarkers(
    orderSet: OrderSet,
    query: MarkerPaging = {},
    options?: ListOptions,
  ): PageCall<MarkerPage, Marker> {
    const endpoint = ({ labTests }: Contract) => labTests.listOrderSetMarkers
    return numberedPages(
      { endpoint, input: { query, body: orderSet }, options },
      (input, call) => this.#transport.send(endpoint, input, call),
      markerPageSize.default,
    )
  }

  /**
   * Lists lab tests (specification 4.12). It replaces the deprecated `GET /v3/lab_tests`.
   *
   * @throws {PaginationError} when the walk cannot go on, or after `maxPages` pages.
   * @example
   * for await (const test of client.labTests.list({ lab_test_limit: 20 })) console.log(test.name)
   */
  list(query: LabTestQuery = {}, options?: ListOptions): PageCall<LabTestPage, LabTest> {
    const endpoint = ({ labTests }: Contract) => labTests.listLabTests
    return cursorPages({ endpoint, input: { query }, options }, (input, call) =>
      this.#transport.send(endpoint, input, call),
    )
  }
}
