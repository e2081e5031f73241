/** Messages between the popup and the service worker. */
export type Request = { readonly type: 'status' | 'sign-in' | 'sign-out' };

export interface Status {
  /** `stopped`: it was signed in, and `reason` says why it no longer is. */
  readonly state: 'signedOut' | 'stopped' | 'connecting' | 'waiting' | 'online';
  /** As the service or the browser says it, without a full stop. */
  readonly reason?: string;
  /** The session was ended here, but the service was not reached. */
  readonly isLocal?: boolean;
}
