import type { Call } from '../call.ts'
import { markerPageSize } from '../contract/known-values.ts'
import type {
  LabTest,
  LabTestPage,
  LabTestQuery,
  Marker,
  MarkerPage,
  MarkerPaging,
  MarkerQuery,
  OrderSet,
  TestMarkerPage,
  TestMarkerQuery,
} from '../contract/lab-tests.ts'
import { type RequestOptions, snapshotOptions } from '../options.ts'
import { cursorPages, nextNumber, PageCall } from '../paginate.ts'
import { snapshot, snapshotQuery } from '../snapshot.ts'
import type { Transport } from '../transport.ts'

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
   * @example
   * for await (const marker of client.labTests.listMarkers({ name: 'glucose' })) console.log(marker.name)
   */
  listMarkers(query: MarkerQuery = {}, options?: RequestOptions): PageCall<MarkerPage, Marker> {
    const [first, chosen] = [snapshotQuery(query), snapshotOptions(options)]
    return markerPages(first, (page) =>
      this.#transport.send(
        ({ labTests }) => labTests.listMarkers,
        { query: { ...first, ...page } },
        chosen,
      ),
    )
  }

  /**
   * Lists the markers of a lab test (specification 4.5).
   *
   * @param labTestId A UUID.
   * @throws {NotFoundError} when there is no such lab test.
   * @example
   * const { markers, total } = await client.labTests.listTestMarkers(labTestId, { size: 100 })
   */
  listTestMarkers(
    labTestId: string,
    query: TestMarkerQuery = {},
    options?: RequestOptions,
  ): PageCall<TestMarkerPage, Marker> {
    const params = { lab_test_id: labTestId }
    const [first, chosen] = [snapshotQuery(query), snapshotOptions(options)]
    return markerPages(first, (page) =>
      this.#transport.send(
        ({ labTests }) => labTests.listTestMarkers,
        { params, query: { ...first, ...page } },
        chosen,
      ),
    )
  }

  /**
   * Lists the markers of an order set: of its lab tests and of what is added to them (specification 4.6). It changes
   * nothing, so it is repeated after a failure that may pass.
   *
   * @example
   * const page = await client.labTests.listOrderSetMarkers({ lab_test_ids: [labTestId] })
   */
  listOrderSetMarkers(
    orderSet: OrderSet,
    query: MarkerPaging = {},
    options?: RequestOptions,
  ): PageCall<MarkerPage, Marker> {
    const body = snapshot(orderSet)
    const [first, chosen] = [snapshotQuery(query), snapshotOptions(options)]
    return markerPages(first, (page) =>
      this.#transport.send(
        ({ labTests }) => labTests.listOrderSetMarkers,
        { query: { ...first, ...page }, body },
        chosen,
      ),
    )
  }

  /**
   * Lists lab tests (specification 4.12). It replaces the deprecated `GET /v3/lab_tests`.
   *
   * @example
   * for await (const test of client.labTests.list({ lab_test_limit: 20 })) console.log(test.name)
   */
  list(query: LabTestQuery = {}, options?: RequestOptions): PageCall<LabTestPage, LabTest> {
    const [first, chosen] = [snapshotQuery(query), snapshotOptions(options)]
    return cursorPages(first.next_cursor, (next_cursor) =>
      this.#transport.send(
        ({ labTests }) => labTests.listLabTests,
        { query: { ...first, next_cursor } },
        chosen,
      ),
    )
  }
}

/** Walks numbered pages. The first page is asked for with what the caller gave, and nothing else. */
function markerPages<Page extends MarkerPage>(
  { page = 1, size }: MarkerPaging,
  fetch: (page: MarkerPaging) => Call<Page>,
): PageCall<Page, Marker> {
  return PageCall.start<Page, Marker, number>(
    {
      first: page,
      fetch: (at) => fetch(at === page ? {} : { page: at }).withResponse(),
      next: (answer, at) =>
        nextNumber(answer, answer.markers.length, at, size ?? markerPageSize.default),
    },
    (answer) => answer.markers,
  )
}
