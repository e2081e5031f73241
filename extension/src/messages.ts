/** Messages from the popup to the service worker. */
export type Request = { readonly type: 'status' | 'sign-in' | 'sign-out' };

export interface Status {
  readonly isSignedIn: boolean;
  /** Text for the popup. */
  readonly text: string;
}
