import type { Texts } from './types.ts';

const IGNORE = '如非您本人操作，请忽略此邮件：没有验证码，不会发生任何变化。';
const ALARM = '如非您本人操作，请立即结束所有会话并更改密码。';

export const zh: Texts = {
  tag: 'zh-CN',
  direction: 'ltr',
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
  logoutPage: {
    title: '退出登录？',
    asks: '“{client}”请求退出您的登录。',
    someone: '某个应用请求退出您的登录。',
    all: '退出您的账户',
    allMeans: '此浏览器中的会话，以及由它登录的所有应用的会话，都将结束。',
    one: '保持账户登录',
    doneTitle: '您已退出登录',
    done: '您可以关闭此窗口。',
    stayedTitle: '您的账户仍处于登录状态',
    home: '前往您的账户',
  },
  errorPage: {
    title: '无法处理该请求',
    invalidRequest: '应用发送的请求无效，或链接已失效。您的账户没有任何变化。',
    busy: '服务暂时无法响应。您的账户没有任何变化。',
    nextStep: '请返回应用重新开始。如果仍然停在这里，请将以下信息告知应用的提供方。',
    reason: '技术原因：',
    home: '前往您的账户',
  },
};
