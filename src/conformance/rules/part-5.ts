import { defineRules } from '../rule.ts'

export const part5Rules = defineRules({
  '5/header': [
    'Every endpoint here takes a team API key in the request header `x-service-api-key`.',
    'The value is written <API_KEY>.',
  ],
  '5/team-key': 'The key is a team-level key; the header is required.',
  '5/sign-in':
    'Mobile apps sign in to the mobile SDKs with a sign-in token from 4.7, and the session persists on the device.',
  '5/credential': `Bulk import needs the team's own OAuth application credential configured for the provider beforehand.`,
})
