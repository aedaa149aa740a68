export const info = /^PATCH .*\/info$/
export const token = /^POST .*\/sign_in_token$/
export const providers = 'GET /v2/providers'
export const booking = /^POST .*\/book$/
export const order = 'POST /v3/order'
