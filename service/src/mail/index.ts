/** The mail door. */
export { createDevMailbox } from './dev-mailbox.ts';
export { createMailSender, type Message, sendMail } from './send-mail.ts';
