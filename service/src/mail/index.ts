/** The mail door. */
export { createDevMailbox } from './dev-mailbox.ts';
export { createMailSender, sendMail } from './send-mail.ts';
