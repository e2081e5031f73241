/** The business token of a session, with the scope that only first-party clients get. */
export const OWN = { access: { scopes: ['identity:manage'], tokens: ['business'] as const } };
