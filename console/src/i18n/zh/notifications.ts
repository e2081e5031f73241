import type { notifications as english } from '../en/notifications.ts';
import type { Translation } from '../texts.ts';

export const notifications: Translation<typeof english> = {
  title: '通知',
  list: '最近动态',
  none: '暂无通知',
  noneLead: '您选择的内容会显示在这里，保留 90 天。',
  new: '新',
  more: '显示更早的通知',
  unknown: '您的账户有新动态',
  message: {
    device_offline: '{{name}} 已离线',
    devices_offline_other: '{{count}} 台设备已离线',
    deposit_credited: '{{amount}} 已到账',
    deposit_below_minimum: '一笔 {{amount}} 的充值低于最小金额',
    deposit_on_hold: '一笔 {{amount}} 的充值暂缓处理',
    deposit_reversed: '一笔 {{amount}} 的充值已撤回',
    payout_confirmed: '您的 {{amount}} 提现已到账',
    payout_rejected: '您的 {{amount}} 提现被拒绝',
    payout_failed: '您的 {{amount}} 提现失败',
    sign_in: '从新的网络地址登录',
    reward_day: '{{day}}（UTC）您获得了 {{amount}}',
  },
  choices: '选择通知',
  choicesLead: '有关账户安全的邮件始终会发送。',
  kind: {
    device_offline: '设备离线',
    deposit: '充值',
    payout: '提现',
    sign_in: '从新的网络地址登录',
    reward_day: '每日奖励',
  },
  channel: { bell: '此列表', mail: '邮件' },
  digest: '邮件频率',
  digests: { at_once: '立即', hourly: '每小时最多一封', daily: '每天一封，早上 8 点' },
  switchOf: '{{kind}}：{{channel}}',
  offlineAfter: '多长时间后视为离线',
};
