import type { Texts } from './en.ts';

export const texts: Texts = {
  signedOut: '未登录。',
  signedOutLead: '登录后，此浏览器将成为网络中的一台设备。',
  online: '在线。',
  onlineLead: '此浏览器是网络中的一台设备。',
  connecting: '正在连接…',
  stopped: '已停止：{{reason}}。',
  waiting: '正在重试：{{reason}}。',
  signedOutHere: '仅在此设备上退出登录，未能连接服务：{{reason}}',
  signIn: '登录',
  signOut: '退出登录',
  earnedToday: '今日收益',
  earnedYesterday: '昨日',
  notPaying: '此网络尚未开始发放奖励。',
  dashboard: '收益与设备',
};
