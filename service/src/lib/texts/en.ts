/** Everything that the service writes to people. `{name}` is a placeholder. */
export const en = {
  /** Of the pages, by BCP 47. */
  tag: 'en',
  direction: 'ltr' as const,
  /** Mails; `{code}` has a line of its own. */
  greeting: 'Hello {nickname},',
  greetingWithoutName: 'Hello,',
  hiddenName: 'without a name to show',
  mails: {
    registration: {
      subject: 'Your code to register',
      paragraphs: [
        'Hello,',
        'welcome! This code proves that the address is yours:',
        '{code}',
        'It works once, for {minutes} minutes.',
        'If this was not you, you can ignore this email: without the code nothing happens.',
      ],
    },
    addressTaken: {
      subject: 'You already have an account',
      paragraphs: [
        'Hello,',
        'there was an attempt, probably yours, to register with this address. You already have ' +
          'an account: sign in, or reset your password if you have forgotten it.',
        'If this was not you, you need not do anything. The account was not revealed.',
      ],
    },
    signIn: {
      subject: 'Your code to sign in',
      paragraphs: [
        '{greeting}',
        'this is your code to sign in:',
        '{code}',
        'It works once, for {minutes} minutes. Never share it with anyone.',
        'If this was not you, your password is known to someone else: change it now.',
      ],
    },
    reauthentication: {
      subject: 'Your code to confirm a change',
      paragraphs: [
        '{greeting}',
        'you are about to change the security of your account. This code confirms that it is you:',
        '{code}',
        'It works once, for {minutes} minutes.',
        'If this was not you, end all sessions and change your password now.',
      ],
    },
    reset: {
      subject: 'Your code to reset your password',
      paragraphs: [
        '{greeting}',
        'this code lets you choose a new password:',
        '{code}',
        'It works once, for {minutes} minutes.',
        'If this was not you, you can ignore this email: without the code nothing happens.',
      ],
    },
    emailChange: {
      subject: 'Your code to change your address',
      paragraphs: [
        '{greeting}',
        'you asked to change the address of your account to {email}. ' +
          'This code verifies this mailbox:',
        '{code}',
        'It works once, for {minutes} minutes, together with the code that was sent to the other ' +
          'address.',
        'If this was not you, end all sessions and change your password now.',
      ],
    },
    passwordNeeded: {
      subject: 'Choose a new password',
      paragraphs: [
        '{greeting}',
        'there was an attempt, probably yours, to sign in. Your account was moved to this ' +
          'service, and its password could not be moved with it.',
        'Open the sign-in page, choose the reset of the password, and set a new one. Your ' +
          'balance, devices and referrals are there already.',
        'If this was not you, you need not do anything.',
      ],
    },
    notice: {
      subject: 'Your account: {what}',
      paragraphs: ['{greeting}', '{what}.', '{closing}'],
    },
  },
  /** How the mail of a notice ends. */
  closings: {
    ownChange:
      'If this was you, you need not do anything. If not, reset your password now and check ' +
      'your sessions and the security log.',
    lostAddress:
      'If this was you, you need not do anything. If not, contact the operator of the network ' +
      'now: this address can no longer reset your password.',
    closed:
      'If this was you, you need not do anything. If not, contact the operator of the network now.',
    reset:
      'If you asked the operator for this, sign in and set up a new second factor. If not, reset ' +
      'your password now and contact the operator of the network.',
    frozen:
      'The reason is in the security log of your account. If you have questions, contact the ' +
      'operator of the network.',
    released: 'You need not do anything.',
  },
  notices: {
    authenticatorAdded: 'an authenticator app was added as your second factor',
    authenticatorRemoved: 'your authenticator app was removed',
    passkeyAdded: 'a passkey ({name}) was added as your second factor',
    passkeyRemoved: 'the passkey {name} was removed',
    upstreamLinked: 'your account at {provider} can be used to sign in now',
    upstreamLinkedAndFrozen:
      'your account at {provider} can be used to sign in now. Conversions and withdrawals wait ' +
      'for 24 hours',
    upstreamUnlinked: 'your account at {provider} can no longer be used to sign in',
    recoveryCodesMade: 'new recovery codes were made',
    emailFactorOn: 'email codes were turned on as a second factor',
    emailFactorOff: 'email codes were turned off as a second factor',
    passwordChanged: 'your password was changed',
    passwordReset: 'your password was reset',
    passwordResetAndFrozen:
      'your password was reset. Conversions and withdrawals wait for 24 hours',
    emailChanged: 'your address was changed to {email}',
    emailIsYours: 'this is your address now',
    secondFactorsReset:
      'the operator removed your second factors, and all sessions ended. Conversions and ' +
      'withdrawals wait for 24 hours',
    moneyFrozen:
      'the operator froze your money. Conversions and withdrawals wait until it is released; ' +
      'rewards and deposits still arrive',
    moneyReleased:
      'the operator released your money. Conversions and withdrawals are possible again',
    accountClosed: 'your account was closed',
    dataExported: 'an archive of all your data was requested',
    payoutAddressAdded:
      'the withdrawal address {address} was added. Withdrawals to it are possible after 24 hours',
    payoutRequested: 'a withdrawal of {amount} to {address} was requested',
  },
  /** Mails of notifications. `{name}` is a device, `{day}` a day in UTC. */
  digest: {
    subject: '{count} notifications',
    more: 'And {count} more.',
    open: 'All notifications, and the choice of them:',
    stop: 'Stop these emails:',
    unknown: 'Something happened in your account',
    device: 'A device',
    messages: {
      device_offline: '{name} is offline',
      devices_offline: '{count} devices are offline',
      deposit_credited: 'A deposit of {amount} {currency} was credited',
      deposit_below_minimum: 'A deposit of {amount} {currency} is below the minimum',
      deposit_on_hold: 'A deposit of {amount} {currency} is on hold',
      deposit_reversed: 'A deposit of {amount} {currency} was reversed',
      deposit_rejected: 'A deposit of {amount} {currency} was rejected by the operator',
      deposit_unsupported: 'A deposit was not credited: its token is not supported',
      payout_confirmed: 'Your withdrawal of {amount} {currency} arrived',
      payout_rejected: 'Your withdrawal of {amount} {currency} was rejected',
      payout_failed: 'Your withdrawal of {amount} {currency} failed',
      sign_in: 'Sign-in from a new IP address. If this was not you, change your password',
      reward_day: 'You earned {amount} {currency} on {day} (UTC)',
    },
  },
  unsubscribePage: {
    title: 'Stop notifications by email?',
    asks:
      'You will receive no notifications by email. Emails about your account’s security are ' +
      'still sent.',
    button: 'Stop these emails',
    doneTitle: 'These emails are stopped',
    done: 'Emails about your account’s security are still sent.',
    invalid: 'This link is not valid any more.',
    home: 'Choose your notifications',
  },
  logoutPage: {
    title: 'Sign out?',
    asks: '{client} asks to sign you out.',
    someone: 'An application asks to sign you out.',
    all: 'Sign out of your account',
    allMeans: 'This ends your session in this browser, and in every application that it opened.',
    one: 'Stay signed in to your account',
    doneTitle: 'You are signed out',
    done: 'You can close this window.',
    stayedTitle: 'You are still signed in to your account',
    home: 'Go to your account',
  },
  errorPage: {
    title: 'The request cannot be answered',
    invalidRequest:
      'The application sent a request that is not valid, or the link is too old. Nothing has ' +
      'happened to your account.',
    busy: 'The service cannot answer right now. Nothing has happened to your account.',
    nextStep:
      'Go back to the application and begin again. If it stops here again, tell those who ' +
      'make the application what is written below.',
    reason: 'Technical reason:',
    home: 'Go to your account',
  },
  /** Monthly statements. Each character needs its glyph: `npm run statement-fonts`. */
  statement: {
    title: 'Monthly statement',
    holder: 'Account holder',
    email: 'Email',
    account: 'Account number',
    period: 'Period',
    madeAt: 'Made at',
    soFar: 'The month is not over: entries up to this time.',
    utc: 'All days and times are in UTC. Balances include what is on hold.',
    page: 'Page {n}',
    summary: 'Summary',
    end: 'End of the statement',
    earned: 'Earned',
    wallets: { asset: 'Asset wallet', bonus: 'Reward wallet' },
    currency: 'Currency',
    opening: 'Opening balance',
    incoming: 'Incoming',
    outgoing: 'Outgoing',
    closing: 'Closing balance',
    none: 'No entries in this month.',
    recorded: 'Recorded',
    type: 'Type',
    amount: 'Amount',
    balanceAfter: 'Balance after',
    types: {
      deposit: 'Deposit',
      deposit_reversal: 'Deposit reversed',
      withdrawal: 'Withdrawal',
      withdrawal_refund: 'Withdrawal returned',
      withdrawal_fee: 'Withdrawal fee',
      package_purchase: 'Package purchase',
      package_refund: 'Package refund',
      reward: 'Reward',
      referral_reward: 'Referral reward',
      conversion_in: 'Converted in',
      conversion_out: 'Converted out',
      adjustment: 'Adjustment',
      opening_balance: 'Opening balance',
    },
    rewards: {
      UPTIME: 'Uptime',
      TRAFFIC: 'Traffic',
      TASK: 'Task',
      REFERRAL: 'Referral',
      BONUS: 'Bonus',
      PENALTY: 'Penalty',
      ADJUSTMENT: 'Adjustment',
    },
  },
};
