/** The mail door. */
export { countMails, MAIL_RETENTION, measureOldestMails } from './mail-queue.ts';
export {
  type Message,
  mailValues,
  QUEUE_MAIL,
  sendMail,
  wakeMailSender,
} from './queue-mail.ts';
export { type MailService, registerMail } from './register-mail.ts';
