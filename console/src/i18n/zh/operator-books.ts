import type * as english from '../en/operator-books.ts';
import type { Translation } from '../texts.ts';

export const books: Translation<typeof english.books> = {
  moveTitle: '在账户间转移',
  moveLead: '两个账户都属于系统，用户余额不变。这是一笔有编号的转账，可以冲正。',
  move: '转移',
  sameAccount: '请选择两个不同的账户。',
  reasonLead: '会与转账一起保存。',
  moved: '已转移 {{amount}}',
  code: '代码',
  wallets: '钱包与系统账户',
  walletsLead: '每位用户每种钱包各有一个；系统账户属于网络。',
  addWallet: '添加钱包',
  walletForGood: '此操作不可撤销：代码和归属不能更改，也不能删除。',
  walletCodeLead: '2 至 32 个小写字母、数字和下划线。',
  walletTaken: '此代码已被使用。',
  owner: '归属',
  ofHouse: '网络',
  ofPeople: '每位用户',
  currencies: '币种',
  currenciesLead: '账本可记录的币种。小数位数永不改变。',
  addCurrency: '添加币种',
  currencyForGood: '此操作不可撤销：币种不能删除，小数位数也不能更正。',
  currencyCodeLead: '2 至 16 个大写字母和数字。',
  scaleLead: '一个单位的小数位数，0 至 30；BTC 为 8。',
  networks: '可充值的网络',
  decimals_other: '{{count}} 位小数',
};

export const problem: Translation<typeof english.problem> = {
  own_client: '服务需要此应用，不能删除。您可以停用它。',
  already_reversed: '此转账已经冲正。',
  not_reversible: '此转账不能冲正。',
  refund_too_large: '超过该订单的剩余金额。',
  settlement_done: '此结算已经结束。',
  hold_of_payout: '这笔资金属于一笔提现，请在那里处理。',
  hold_not_open: '这笔资金已经支付或退回。',
  hold_expired: '期限已过：资金将自动退回。',
  wallet_exists: '此代码已被使用，但归属不同。',
  wallet_limit: '不能再添加钱包。',
};
