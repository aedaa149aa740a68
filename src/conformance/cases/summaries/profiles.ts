import { assertEqual, assertIncludes, assertSameId } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'
import { readSummaries, ring, sourceForm, watch } from './read-summaries.ts'

const profile: ObjectForm = {
  id: 'any',
  date: 'any',
  height: 'number',
  source: sourceForm,
  user_id: 'uuid',
}

const { height: _, ...withoutHeight } = profile

export const profileCases = defineCases({
  '2.9/profile': {
    title: 'Returns the profile summary of each user with all fields',
    rules: ['2.9/profile', '2.9/source', '2.8/fields'],
    needs: ['user'],
    readOnly: true,
    async run(service: TestedService) {
      const users = [await service.user(), await service.user()]
      for (const user of [...users, ...users]) {
        for (const summary of await readSummaries(service, 'profile', user)) {
          // A user without a profile has no height.
          const hasHeight = (fieldOf(summary, 'height') ?? null) !== null
          assertShape(summary, hasHeight ? profile : withoutHeight, 'the profile')
          assertSameId(fieldOf(summary, 'user_id'), user, 'user_id of the profile')
        }
      }
    },
  },
  '2.9/profile-height': {
    title: 'Returns the height of each user in the profile',
    rules: ['2.9/profile', '2.9/source', '2.8/fields'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const users = [await service.user(), await service.user()]
      for (const [at, user] of users.entries()) {
        const { provider, type } = at === 0 ? ring : watch
        const source = { source_provider: provider, source_type: type }
        const values = { height_centimeter: 171.43 + at, ...source }
        await service.addHealthData(user, [{ resource: 'profile', values }])
      }
      for (const at of [0, 1, 0]) {
        const user = users[at] ?? ''
        const [summary] = await readSummaries(service, 'profile', user)
        assertShape(summary, profile, 'the profile')
        assertEqual(fieldOf(summary, 'height'), 171.43 + at, 'height of the profile')
        assertSameId(fieldOf(summary, 'user_id'), user, 'user_id of the profile')
        const { provider, type } = at === 0 ? ring : watch
        assertIncludes(fieldOf(summary, 'source'), { provider, type }, 'source of the profile')
      }
    },
  },
})
