import { readdirSync, readFileSync } from 'node:fs'
import { expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod/mini'
import type { routes } from '../../mock/routes/routes.ts'
import type { ServiceClient } from '../../src/client/client.ts'
import type * as aggregate from '../../src/contract/aggregate.ts'
import type * as appointments from '../../src/contract/appointments.ts'
import type * as insurance from '../../src/contract/insurance.ts'
import type * as labTests from '../../src/contract/lab-tests.ts'
import type * as link from '../../src/contract/link.ts'
import type * as markers from '../../src/contract/markers.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import type * as orders from '../../src/contract/orders.ts'
import type * as people from '../../src/contract/people.ts'
import type * as source from '../../src/contract/source.ts'
import type * as summaries from '../../src/contract/summaries.ts'
import type * as activity from '../../src/contract/summary-records/activity.ts'
import type * as body from '../../src/contract/summary-records/body.ts'
import type * as meal from '../../src/contract/summary-records/meal.ts'
import type * as profile from '../../src/contract/summary-records/profile.ts'
import type * as sleep from '../../src/contract/summary-records/sleep.ts'
import type * as summary from '../../src/contract/summary-records/summary.ts'
import type * as workout from '../../src/contract/summary-records/workout.ts'
import type * as users from '../../src/contract/users.ts'

const contract = new URL('../../src/contract/', import.meta.url)
const here = readFileSync(new URL(import.meta.url), 'utf8')

/** The schemas that stand beside an interface of the same name, in every file of the contract. */
function pairs(): string[] {
  const folders = [contract, new URL('summary-records/', contract)]
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') })),
  )
  return files.flatMap(({ file, text }) => {
    const module = file.replace('.ts', '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
    const schemas = text.matchAll(/^export const ([A-Z]\w+)(?::.*)? =/gm)
    return [...schemas].map(([, name]) => `${module}.${name}`)
  })
}

it('has interfaces that equal their schemas', () => {
  expectTypeOf<z.infer<typeof aggregate.Duration>>().toEqualTypeOf<aggregate.Duration>()
  expectTypeOf<
    z.infer<typeof aggregate.RelativeTimeframe>
  >().toEqualTypeOf<aggregate.RelativeTimeframe>()
  expectTypeOf<
    z.infer<typeof aggregate.AggregationItem>
  >().toEqualTypeOf<aggregate.AggregationItem>()
  expectTypeOf<z.infer<typeof aggregate.GroupKeyItem>>().toEqualTypeOf<aggregate.GroupKeyItem>()
  expectTypeOf<z.infer<typeof aggregate.ColumnItem>>().toEqualTypeOf<aggregate.ColumnItem>()
  expectTypeOf<
    z.infer<typeof aggregate.ColumnReference>
  >().toEqualTypeOf<aggregate.ColumnReference>()
  expectTypeOf<z.infer<typeof aggregate.SelectItem>>().toEqualTypeOf<aggregate.SelectItem>()
  expectTypeOf<z.infer<typeof aggregate.GroupByItem>>().toEqualTypeOf<aggregate.GroupByItem>()
  expectTypeOf<z.infer<typeof aggregate.Query>>().toEqualTypeOf<aggregate.Query>()
  expectTypeOf<z.infer<typeof aggregate.QueryConfig>>().toEqualTypeOf<aggregate.QueryConfig>()
  expectTypeOf<
    z.infer<typeof aggregate.AggregateRequest>
  >().toEqualTypeOf<aggregate.AggregateRequest>()
  expectTypeOf<
    z.infer<typeof aggregate.AggregationResult>
  >().toEqualTypeOf<aggregate.AggregationResult>()
  expectTypeOf<
    z.infer<typeof aggregate.AggregateResult>
  >().toEqualTypeOf<aggregate.AggregateResult>()
  expectTypeOf<
    z.infer<typeof people.InsuranceAddressInput>
  >().toEqualTypeOf<people.InsuranceAddressInput>()
  expectTypeOf<z.infer<typeof people.InsuranceAddress>>().toEqualTypeOf<people.InsuranceAddress>()
  expectTypeOf<z.infer<typeof people.PersonDetails>>().toEqualTypeOf<people.PersonDetails>()
  expectTypeOf<z.infer<typeof people.Person>>().toEqualTypeOf<people.Person>()
  expectTypeOf<z.infer<typeof people.GuarantorDetails>>().toEqualTypeOf<people.GuarantorDetails>()
  expectTypeOf<z.infer<typeof people.Guarantor>>().toEqualTypeOf<people.Guarantor>()
  expectTypeOf<z.infer<typeof insurance.CompanyDetails>>().toEqualTypeOf<insurance.CompanyDetails>()
  expectTypeOf<z.infer<typeof insurance.InsuranceInput>>().toEqualTypeOf<insurance.InsuranceInput>()
  expectTypeOf<z.infer<typeof insurance.Insurance>>().toEqualTypeOf<insurance.Insurance>()
  expectTypeOf<z.infer<typeof markers.Loinc>>().toEqualTypeOf<markers.Loinc>()
  expectTypeOf<z.infer<typeof markers.ExpectedResult>>().toEqualTypeOf<markers.ExpectedResult>()
  expectTypeOf<z.infer<typeof markers.Marker>>().toEqualTypeOf<markers.Marker>()
  expectTypeOf<z.infer<typeof markers.MarkerPage>>().toEqualTypeOf<markers.MarkerPage>()
  expectTypeOf<z.infer<typeof markers.TestMarkerPage>>().toEqualTypeOf<markers.TestMarkerPage>()
  expectTypeOf<z.infer<typeof markers.MarkerPaging>>().toEqualTypeOf<markers.MarkerPaging>()
  expectTypeOf<z.infer<typeof markers.MarkerQuery>>().toEqualTypeOf<markers.MarkerQuery>()
  expectTypeOf<z.infer<typeof markers.TestMarkerQuery>>().toEqualTypeOf<markers.TestMarkerQuery>()
  expectTypeOf<z.infer<typeof labTests.OrderSetAddOn>>().toEqualTypeOf<labTests.OrderSetAddOn>()
  expectTypeOf<z.infer<typeof labTests.OrderSet>>().toEqualTypeOf<labTests.OrderSet>()
  expectTypeOf<z.infer<typeof labTests.Lab>>().toEqualTypeOf<labTests.Lab>()
  expectTypeOf<z.infer<typeof labTests.LabTest>>().toEqualTypeOf<labTests.LabTest>()
  expectTypeOf<z.infer<typeof labTests.LabTestPage>>().toEqualTypeOf<labTests.LabTestPage>()
  expectTypeOf<z.infer<typeof labTests.LabTestQuery>>().toEqualTypeOf<labTests.LabTestQuery>()
  expectTypeOf<z.infer<typeof link.Provider>>().toEqualTypeOf<link.Provider>()
  expectTypeOf<z.infer<typeof link.ProviderQuery>>().toEqualTypeOf<link.ProviderQuery>()
  expectTypeOf<z.infer<typeof link.ConnectionRecipe>>().toEqualTypeOf<link.ConnectionRecipe>()
  expectTypeOf<z.infer<typeof link.BulkImportInput>>().toEqualTypeOf<link.BulkImportInput>()
  expectTypeOf<z.infer<typeof link.BulkImportBody>>().toEqualTypeOf<link.BulkImportBody>()
  expectTypeOf<z.infer<typeof link.BulkOp>>().toEqualTypeOf<link.BulkOp>()
  expectTypeOf<z.infer<typeof link.BulkOpPage>>().toEqualTypeOf<link.BulkOpPage>()
  expectTypeOf<z.infer<typeof link.BulkOpQuery>>().toEqualTypeOf<link.BulkOpQuery>()
  expectTypeOf<z.infer<typeof link.DeletedConnection>>().toEqualTypeOf<link.DeletedConnection>()
  expectTypeOf<z.infer<typeof appointments.USAddress>>().toEqualTypeOf<appointments.USAddress>()
  expectTypeOf<z.infer<typeof appointments.LngLat>>().toEqualTypeOf<appointments.LngLat>()
  expectTypeOf<
    z.infer<typeof appointments.AppointmentEvent>
  >().toEqualTypeOf<appointments.AppointmentEvent>()
  expectTypeOf<z.infer<typeof appointments.Appointment>>().toEqualTypeOf<appointments.Appointment>()
  expectTypeOf<
    z.infer<typeof appointments.BookingInput>
  >().toEqualTypeOf<appointments.BookingInput>()
  expectTypeOf<z.infer<typeof orders.PatientDetails>>().toEqualTypeOf<orders.PatientDetails>()
  expectTypeOf<z.infer<typeof orders.PatientAddress>>().toEqualTypeOf<orders.PatientAddress>()
  expectTypeOf<z.infer<typeof orders.OrderInput>>().toEqualTypeOf<orders.OrderInput>()
  expectTypeOf<z.infer<typeof orders.OrderResult>>().toEqualTypeOf<orders.OrderResult>()
  expectTypeOf<z.infer<typeof orders.OrderStep>>().toEqualTypeOf<orders.OrderStep>()
  expectTypeOf<z.infer<typeof orders.OrderedLabTest>>().toEqualTypeOf<orders.OrderedLabTest>()
  expectTypeOf<z.infer<typeof orders.OrderDetails>>().toEqualTypeOf<orders.OrderDetails>()
  expectTypeOf<z.infer<typeof orders.Order>>().toEqualTypeOf<orders.Order>()
  expectTypeOf<z.infer<typeof orders.CreatedOrder>>().toEqualTypeOf<orders.CreatedOrder>()
  expectTypeOf<z.infer<typeof source.Source>>().toEqualTypeOf<source.Source>()
  expectTypeOf<z.infer<typeof summary.Summary>>().toEqualTypeOf<summary.Summary>()
  expectTypeOf<z.infer<typeof profile.ProfileSummary>>().toEqualTypeOf<profile.ProfileSummary>()
  expectTypeOf<z.infer<typeof sleep.SleepSummary>>().toEqualTypeOf<sleep.SleepSummary>()
  expectTypeOf<
    z.infer<typeof activity.ActivityHeartRate>
  >().toEqualTypeOf<activity.ActivityHeartRate>()
  expectTypeOf<z.infer<typeof activity.ActivitySummary>>().toEqualTypeOf<activity.ActivitySummary>()
  expectTypeOf<z.infer<typeof workout.Sport>>().toEqualTypeOf<workout.Sport>()
  expectTypeOf<z.infer<typeof workout.WorkoutSummary>>().toEqualTypeOf<workout.WorkoutSummary>()
  expectTypeOf<z.infer<typeof body.BodySummary>>().toEqualTypeOf<body.BodySummary>()
  expectTypeOf<z.infer<typeof meal.MealEnergy>>().toEqualTypeOf<meal.MealEnergy>()
  expectTypeOf<z.infer<typeof meal.MealFats>>().toEqualTypeOf<meal.MealFats>()
  expectTypeOf<z.infer<typeof meal.MealMacros>>().toEqualTypeOf<meal.MealMacros>()
  expectTypeOf<z.infer<typeof meal.MealMicros>>().toEqualTypeOf<meal.MealMicros>()
  expectTypeOf<z.infer<typeof meal.MealSummary>>().toEqualTypeOf<meal.MealSummary>()
  expectTypeOf<z.infer<typeof summaries.ProfileQuery>>().toEqualTypeOf<summaries.ProfileQuery>()
  expectTypeOf<z.infer<typeof summaries.SummaryQuery>>().toEqualTypeOf<summaries.SummaryQuery>()
  expectTypeOf<z.infer<typeof users.UserAddressInput>>().toEqualTypeOf<users.UserAddressInput>()
  expectTypeOf<z.infer<typeof users.UserAddress>>().toEqualTypeOf<users.UserAddress>()
  expectTypeOf<z.infer<typeof users.UserInfoInput>>().toEqualTypeOf<users.UserInfoInput>()
  expectTypeOf<z.infer<typeof users.UserInfo>>().toEqualTypeOf<users.UserInfo>()
  expectTypeOf<z.infer<typeof users.SignInToken>>().toEqualTypeOf<users.SignInToken>()
  expectTypeOf<{
    [Name in keyof typeof summaries.SummaryResponses]: z.infer<
      (typeof summaries.SummaryResponses)[Name]
    >
  }>().toEqualTypeOf<summaries.SummaryResponses>()
  expectTypeOf<z.infer<typeof link.AcceptedBulkImportBody>>().toEqualTypeOf<
    Partial<{ [Name in keyof link.BulkImportBody]: string[] | null | undefined }> | null | undefined
  >()
})

it('covers every schema of the contract', () => {
  expect(pairs().length).toBeGreaterThan(50)
  for (const pair of pairs()) expect(here).toContain(`typeof ${pair}`)
})

type EndpointIds<R extends readonly { endpoint: { id: string } }[]> = R[number]['endpoint']['id']
type MethodIds = {
  [Namespace in keyof ServiceClient &
    string]: `${Namespace}.${keyof ServiceClient[Namespace] & string}`
}[keyof ServiceClient & string]

it('has a route of the mock for every operation', () => {
  expectTypeOf<Exclude<OperationId, EndpointIds<typeof routes>>>().toBeNever()
})

it('has a method of the client for every operation that is not deprecated', () => {
  expectTypeOf<Exclude<OperationId, MethodIds>>().toEqualTypeOf<'labTests.listAll'>()
})
