/** The mail door. */
export { createDevMailbox } from './dev-mailbox.ts';
export {
  createMailSender,
  deleteOldMails,
  type Message,
  queueMailSql,
  sendMail,
  WAKE_SENDER,
} from './send-mail.ts';
