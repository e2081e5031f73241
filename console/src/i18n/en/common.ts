/** Texts that every page shares. */
export const common = {
  theme: 'Appearance',
  themeLight: 'Use light appearance',
  themeDark: 'Use dark appearance',
  language: 'Language',
  back: 'Back',
  tryAgain: 'Try again',
  loading: 'Loading',
  required: 'Please fill this in.',
  trafficKind: { web: 'Web pages', video: 'Video', mail: 'Email', games: 'Games' },
  problem: {
    unreachable: 'The service cannot be reached. Check your connection and try again.',
    unavailable: 'The service cannot answer right now. Please try again in a moment.',
    unavailable_for: 'The service cannot answer right now. Please try again in {{wait}}.',
    internal_error: 'The service failed. Please try again in a moment.',
    rate_limited: 'Too many attempts. Please wait a moment and try again.',
    rate_limited_for: 'Too many attempts. Try again in {{wait}}.',
    account_disabled: 'This account is closed or blocked. Please contact support.',
    challenge_required: 'The check did not succeed. Please try again.',
    invalid_code: 'Incorrect code.',
    invalid_code_tries_one: 'Incorrect code. 1 attempt left.',
    invalid_code_tries_other: 'Incorrect code. {{count}} attempts left.',
    invalid_code_last: 'Incorrect code, and no attempts are left. Please start again.',
    invalid_ticket: 'This sign-in has expired or was used already. Please start again.',
    invalid_credentials: 'Incorrect email or password.',
    upstream_refused: 'The other provider did not confirm the sign-in. Please try again.',
    upstream_unreachable: 'The other provider cannot be reached. Try again in a moment.',
    upstream_email_unverified:
      'The other provider has not verified your email address. Sign in otherwise, and link the ' +
      'account in Security.',
    upstream_identity_taken: 'This account is linked to another account here already.',
    linked_account_limit: 'There are too many linked accounts. Unlink one in Security first.',
    wallet_unknown:
      'No account has linked this wallet. Sign in otherwise, and link it in Security.',
    wallet_signature_invalid:
      'The signature is not one of this wallet. A contract wallet signs in on the chain on which ' +
      'it was linked.',
    passkey_unknown:
      'No account has this passkey: it may have been removed. Sign in with your password.',
    passkey_invalid:
      'The passkey was not accepted. Unlock it by PIN, fingerprint or face, and try again.',
    last_sign_in_method:
      'You could not sign in any more. Set a password first: sign out, and reset it.',
    method_unavailable: 'This way of signing in is not available for your account.',
    insufficient_scope: 'You are not allowed to do this here.',
    token_revoked: 'You were signed out. Please sign in again.',
    invalid_flow: 'Signing in was interrupted. Please try again.',
    interaction_expired: 'This request to sign in has expired. Start again from the application.',
    user_code_unknown: 'There is no device with this code. Check it, or start again on the device.',
    account_not_empty:
      'Your wallets are not empty. Convert and withdraw the balance, or choose to give it up.',
    money_frozen: 'Conversion and withdrawal are paused for your account at the moment.',
    insufficient_funds: 'There is not enough available for this.',
    invalid_token: 'Your session has ended. Please sign in again.',
    unmet_authentication_requirements:
      'This application requires a sign-in with an authenticator app or a passkey.',
    reauthentication_required: 'Please sign in again: this asks for a newer sign-in.',
    // For what has no words of its own, by its status.
    status_400: 'This was not accepted. Please check what you entered.',
    status_404: 'This is not there, or not any more.',
    status_409:
      'This cannot be done as things are now. Load the page again to see what has changed.',
    status_413: 'This is too much at once.',
  },
  fieldProblem: {
    any: {
      common_password: 'This password is too common. Choose another.',
      guessable_password: 'The password must not be your name or address. Choose another.',
      disposable: 'This is a disposable address. Use one that you will keep.',
      not_an_email: 'This does not look like an email address that can receive email.',
      not_positive: 'The amount must be more than zero.',
      too_small: 'The amount is too small to be converted.',
      too_many_decimals: 'The amount has more decimals than this currency.',
      not_a_decimal: 'Please write the amount in digits, with a point for the decimals.',
      too_large: 'That is too large.',
      too_long: 'That is too long.',
      length: 'That is too short or too long.',
      forbidden_character: 'Please leave out characters that cannot be seen.',
      reserved_character: 'Leave out < > " \\ @ and ://: email programs take them for an address.',
      unchanged: 'This is the current value.',
    },
    referral_code: {
      unknown: 'This referral code does not exist. Check it, or leave it empty.',
      maxLength: 'A referral code is shorter. Check it, or leave it empty.',
    },
    nickname: {
      length: 'A nickname has 1 to 40 characters.',
      minLength: 'A nickname has 1 to 40 characters.',
      maxLength: 'A nickname has 1 to 40 characters.',
    },
    support_url: {
      malformed_url:
        'Enter a link like https://example.com/help or mailto:help@example.com, without a user.',
    },
    name: { pattern: 'Please leave out characters that cannot be seen.' },
    amount: {
      pattern: 'Write the amount in digits, with a point for decimals and no commas, like 1234.5.',
    },
    min_deposit: {
      pattern: 'Write the amount in digits, with a point for decimals and no commas, like 1234.5.',
    },
  },
  // Where a field has no words for what is wrong with it, by the kind of it.
  fieldKind: {
    required: 'Please fill this in.',
    minLength: 'This is too short.',
    maxLength: 'This is too long.',
    minItems: 'These are too few.',
    maxItems: 'These are too many.',
    minimum: 'This is too small.',
    maximum: 'This is too large.',
    pattern: 'This does not have the right form.',
    other: 'This cannot be right.',
  },
  named: '{{name}}: {{problem}}',
  labelled: '{{name}}: {{value}}',
  seconds_one: '{{count}} second',
  seconds_other: '{{count}} seconds',
  minutes_one: '{{count}} minute',
  minutes_other: '{{count}} minutes',
  chart: {
    sum: 'Total of the period',
    gap: ', ',
    pickDay: 'Choose a day',
    periodBefore: 'Period before',
    incomplete: 'so far',
    today: 'Today so far',
  },
};
