import type { operator as english } from '../en/operator.ts';

export const operator: typeof english = {
  title: '运营',
  notAllowed: '此页面仅供运营人员使用',
  notAllowedLead: '该权限由运营方通过命令行授予，使用身份验证器或通行密钥登录后 15 分钟内有效。',
  confirm: '确认身份',
};
