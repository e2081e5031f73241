/** What people know this service by: in mails, authenticators, passkeys and statements. */
export const SERVICE_NAME = 'Edge Account';
