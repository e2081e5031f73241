/** The mail door. */
export { registerMail } from './register-mail.ts';
export {
  MAIL_RETENTION,
  type Message,
  mailValues,
  QUEUE_MAIL,
  sendMail,
  wakeMailSender,
} from './send-mail.ts';
