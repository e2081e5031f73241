/** Messages between the popup and the service worker. */
export type Request = { readonly type: 'status' | 'sign-in' | 'sign-out' };

/** Exact decimals. */
export interface Earned {
  readonly currency: string;
  readonly today: string;
  readonly yesterday: string;
}

export interface Status {
  /** `stopped`: it was signed in, and `code` says why it no longer is. */
  readonly state: 'signedOut' | 'stopped' | 'connecting' | 'waiting' | 'online';
  /** Why, as a code of the service or the SDK. The popup has its own texts for them. */
  readonly code?: string;
  /** Of this device, in the reward currency. Absent: not known yet, or no answer came. */
  readonly earned?: Earned;
  /** False: the network pays no rewards yet. Absent: not known yet, or no answer came. */
  readonly isPaying?: boolean;
  /** The session was ended here, but the service was not reached. */
  readonly isLocal?: boolean;
}
