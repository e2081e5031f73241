/** The mail door. */
export { registerMail } from './register-mail.ts';
export {
  MAIL_RETENTION,
  type Message,
  mailValues,
  QUEUE_MAIL,
  sendMail,
  WAKE_SENDER,
} from './send-mail.ts';
