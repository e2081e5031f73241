import type * as english from '../en/operator-set-up.ts';
import type { Translation } from '../texts.ts';

export const providers: Translation<typeof english.providers> = {
  title: '登录提供方',
  lead: '其他 OpenID 提供方：用户可用其账户登录，也可关联账户。',
  add: '添加提供方',
  none: '用户仅能使用本服务的账户登录',
  provider: '提供方',
  other: '其他',
  preset: {
    google: 'Google',
    apple: 'Apple',
    microsoft: 'Microsoft',
    telegram: 'Telegram',
  },
  id: '短名称',
  idLead: '设定后不能更改。请先在提供方将 {{address}} 登记为重定向地址。',
  taken: '此名称已被使用：请打开已有的那一个。',
  label: '登录页上的名称',
  issuer: '签发者',
  issuerLead: '一个 https 地址。会立即读取其元数据。',
  secret: '客户端密钥',
  secretLead: '加密保存，永不显示。没有密钥的客户端留空。',
  secretKept: '已保存一个。留空则保持不变。',
  teamId: '团队 ID',
  keyId: '密钥 ID',
  privateKey: '私钥',
  privateKeyLead: 'Apple 提供的文件内容。加密保存，永不显示。',
  scopesLead: '用空格分隔，须包含 openid。新建时留空则使用常用范围。',
  secondFactor: '提供方的二次验证',
  secondFactorLead: '可视为二次验证的 amr 值，用空格分隔。留空则在此验证。',
  redirectUri: '重定向地址',
  enabled: '用户可用它登录',
  create: '设置',
  delete: '移除提供方',
  deleteTitle: '移除 {{name}}？',
  deleteLead: '用户将无法再用它登录。没有密码的用户可重置密码。重新设置后，已关联的账户会恢复。',
};

export const resources: Translation<typeof english.resources> = {
  title: '自有接口',
  lead: '接受本服务访问令牌的接口；可将其权限授予应用。',
  add: '添加接口',
  none: '没有接口接受本服务的令牌',
  id: '短名称',
  audience: '受众',
  audienceLead: '接口的地址，令牌中会写明。设定后不能更改。',
  scopesLead: '每行一个：名称、空格，然后是供用户阅读的说明。',
  scopesNeeded: '请在每行的名称之后说明该权限的用途。',
  enabled: '可获得令牌',
  delete: '移除接口',
  deleteTitle: '移除 {{name}}？',
  deleteLead: '仍有应用拥有其权限时不能移除。停用可立即停止。',
};

export const registration: Translation<typeof english.registration> = {
  title: '由程序注册',
  lead: '程序可凭令牌自行注册应用（动态注册）。',
  issue: '签发令牌',
  uses: '可注册的应用数',
  days: '有效天数',
  scopesLead: '用空格分隔：这些应用可请求的全部权限。',
};
