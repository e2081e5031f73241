/** What the service writes to people. A code stands on a line of its own, so that programs find it too. */
import type { Message } from '../mail/index.ts';

const SIGNATURE = 'Edge Account';

function mail(to: string, subject: string, ...paragraphs: string[]): Message {
  return { to, subject, text: `${[...paragraphs, SIGNATURE].join('\n\n')}\n` };
}

const IGNORE = 'If this was not you, you can ignore this mail: without the code nothing happens.';
const minutes = (seconds: number): string => `${Math.max(1, Math.round(seconds / 60))} minutes`;

export function registrationCode(to: string, nickname: string, code: string, ttl_s: number): Message {
  return mail(
    to,
    'Your code to register',
    `Hello ${nickname},`,
    'welcome! This code proves that the address is yours:',
    code,
    `It works once, for ${minutes(ttl_s)}.`,
    IGNORE,
  );
}

export function addressTaken(to: string): Message {
  return mail(
    to,
    'You already have an account',
    'Hello,',
    'somebody, probably you, tried to register with this address. You already have an account: sign in with it, or reset your password if you have forgotten it.',
    'If this was not you, there is nothing to do. Nobody learned that the account exists.',
  );
}

export function signInCode(to: string, nickname: string, code: string, ttl_s: number): Message {
  return mail(
    to,
    'Your code to sign in',
    `Hello ${nickname},`,
    'this is your code to sign in:',
    code,
    `It works once, for ${minutes(ttl_s)}. Never give it to anybody, whoever asks.`,
    'If this was not you, somebody knows your password: change it now.',
  );
}

export function reauthenticationCode(to: string, nickname: string, code: string, ttl_s: number): Message {
  return mail(
    to,
    'Your code to confirm a change',
    `Hello ${nickname},`,
    'you are about to change the safety of your account. This code confirms that it is you:',
    code,
    `It works once, for ${minutes(ttl_s)}.`,
    'If this was not you, end all sessions and change your password now.',
  );
}

export function resetCode(to: string, nickname: string, code: string, ttl_s: number): Message {
  return mail(
    to,
    'Your code to reset your password',
    `Hello ${nickname},`,
    'this code lets you choose a new password:',
    code,
    `It works once, for ${minutes(ttl_s)}.`,
    IGNORE,
  );
}

export function emailChangeCode(to: string, nickname: string, code: string, newEmail: string, ttl_s: number): Message {
  return mail(
    to,
    'Your code to change your address',
    `Hello ${nickname},`,
    `you asked to change the address of your account to ${newEmail}. This code proves that you read this mailbox:`,
    code,
    `It works once, for ${minutes(ttl_s)}, together with the code that went to the other address.`,
    'If this was not you, end all sessions and change your password now.',
  );
}

/** Tells the owner what has changed, so that a change by somebody else does not stay unseen. */
export function changeNotice(to: string, nickname: string, what: string): Message {
  return mail(
    to,
    `Your account: ${what}`,
    `Hello ${nickname},`,
    `${what}.`,
    'If this was you, there is nothing to do. If not, reset your password now and look at your sessions and security events.',
  );
}
