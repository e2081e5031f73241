/** What the popup asks the background for. */
export type Request = { readonly type: 'status' | 'sign-in' | 'sign-out' };

export interface Status {
  readonly isSignedIn: boolean;
  /** In words, for the popup. */
  readonly text: string;
}
