/** Mails in each language. `{name}` is a placeholder; `{code}` has a line of its own. */
import type { Language } from '../lib/language.ts';

interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

const ENGLISH = {
  signature: 'Edge Account',
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
        'If this was not you, you can ignore this mail: without the code nothing happens.',
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
        'If this was not you, you can ignore this mail: without the code nothing happens.',
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
      paragraphs: [
        '{greeting}',
        '{what}.',
        'If this was you, you need not do anything. If not, reset your password now and check ' +
          'your sessions and security events.',
      ],
    },
  },
  notices: {
    authenticatorAdded: 'an authenticator was added as your second factor',
    authenticatorRemoved: 'your authenticator was removed',
    passkeyAdded: 'a passkey ({name}) was added as your second factor',
    passkeyRemoved: 'the passkey {name} was removed',
    upstreamLinked: 'your account at {name} can be used to sign in now',
    upstreamLinkedAndFrozen:
      'your account at {name} can be used to sign in now. Conversions and withdrawals wait for ' +
      '24 hours',
    upstreamUnlinked: 'your account at {name} can no longer be used to sign in',
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
    accountClosed: 'your account was closed',
    dataExported: 'an archive of all your data was requested',
    payoutAddressAdded:
      'the payout address {address} was added. Payouts to it are possible after 24 hours',
    payoutRequested: 'a payout of {amount} to {address} was requested',
  },
};

export type MailKind = keyof typeof ENGLISH.mails;
export type NoticeKind = keyof typeof ENGLISH.notices;

interface MailTexts {
  readonly signature: string;
  readonly greeting: string;
  readonly greetingWithoutName: string;
  /** In place of a name that a mail does not show. */
  readonly hiddenName: string;
  readonly mails: Readonly<Record<MailKind, MailText>>;
  readonly notices: Readonly<Record<NoticeKind, string>>;
}

const IGNORE = '如非您本人操作，请忽略此邮件：没有验证码，不会发生任何变化。';
const ALARM = '如非您本人操作，请立即结束所有会话并更改密码。';

const CHINESE: MailTexts = {
  signature: 'Edge Account',
  greeting: '{nickname}，您好：',
  greetingWithoutName: '您好：',
  hiddenName: '名称不显示',
  mails: {
    registration: {
      subject: '您的注册验证码',
      paragraphs: [
        '您好：',
        '欢迎！此验证码用于确认该邮箱属于您：',
        '{code}',
        '验证码 {minutes} 分钟内有效，仅可使用一次。',
        IGNORE,
      ],
    },
    addressTaken: {
      subject: '您已有账户',
      paragraphs: [
        '您好：',
        '有人（很可能是您本人）尝试用此邮箱注册。您已有账户：请直接登录；如忘记密码，请重置密码。',
        '如非您本人操作，无需任何处理。没有人由此得知该账户存在。',
      ],
    },
    signIn: {
      subject: '您的登录验证码',
      paragraphs: [
        '{greeting}',
        '您的登录验证码是：',
        '{code}',
        '验证码 {minutes} 分钟内有效，仅可使用一次。无论谁索要，都不要告诉对方。',
        '如非您本人操作，说明有人知道您的密码：请立即更改密码。',
      ],
    },
    reauthentication: {
      subject: '您的变更确认验证码',
      paragraphs: [
        '{greeting}',
        '您正要更改账户的安全设置。此验证码用于确认是您本人：',
        '{code}',
        '验证码 {minutes} 分钟内有效，仅可使用一次。',
        ALARM,
      ],
    },
    reset: {
      subject: '您的密码重置验证码',
      paragraphs: [
        '{greeting}',
        '凭此验证码可以设置新密码：',
        '{code}',
        '验证码 {minutes} 分钟内有效，仅可使用一次。',
        IGNORE,
      ],
    },
    emailChange: {
      subject: '您的邮箱更换验证码',
      paragraphs: [
        '{greeting}',
        '您申请将账户邮箱更换为 {email}。此验证码用于确认您能收到该邮箱的邮件：',
        '{code}',
        '验证码 {minutes} 分钟内有效，仅可使用一次，需与发送到另一邮箱的验证码一起使用。',
        ALARM,
      ],
    },
    passwordNeeded: {
      subject: '请设置新密码',
      paragraphs: [
        '{greeting}',
        '有人（可能是您）尝试登录。您的账户已迁移到本服务，但原密码无法一并迁移。',
        '请打开登录页面，选择重置密码，并设置新密码。您的余额、设备和推荐关系均已迁移。',
        '如非您本人操作，无需处理。',
      ],
    },
    notice: {
      subject: '您的账户：{what}',
      paragraphs: [
        '{greeting}',
        '{what}。',
        '如为您本人操作，无需任何处理。否则请立即重置密码，并查看您的会话和安全记录。',
      ],
    },
  },
  notices: {
    authenticatorAdded: '已添加身份验证器作为二次验证方式',
    authenticatorRemoved: '身份验证器已移除',
    passkeyAdded: '已添加通行密钥“{name}”作为二次验证方式',
    passkeyRemoved: '通行密钥“{name}”已移除',
    upstreamLinked: '您在 {name} 的账户现可用于登录',
    upstreamLinkedAndFrozen: '您在 {name} 的账户现可用于登录，24 小时内不能兑换和提现',
    upstreamUnlinked: '您在 {name} 的账户不再可用于登录',
    recoveryCodesMade: '已生成新的恢复码',
    emailFactorOn: '已开启邮件验证码作为二次验证方式',
    emailFactorOff: '已关闭邮件验证码作为二次验证方式',
    passwordChanged: '密码已更改',
    passwordReset: '密码已重置',
    passwordResetAndFrozen: '密码已重置，24 小时内不能兑换和提现',
    emailChanged: '账户邮箱已更换为 {email}',
    emailIsYours: '此邮箱现为您的账户邮箱',
    secondFactorsReset: '运营方已移除您的二次验证方式，所有会话均已结束。24 小时内无法兑换和提现',
    accountClosed: '账户已关闭',
    dataExported: '已申请导出您的全部数据',
    payoutAddressAdded: '已添加提现地址 {address}，24 小时后可用于提现',
    payoutRequested: '已申请提现 {amount} 到 {address}',
  },
};

export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = { en: ENGLISH, zh: CHINESE };
