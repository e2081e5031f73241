/** What the console is called as an OpenID Connect client. */
export const CLIENT_ID = 'edge-console';
