import type * as english from '../en/operator-books.ts';
import type { Translation } from '../texts.ts';

export const books: Translation<typeof english.books> = {
  moveTitle: '在账户间转移',
  moveLead: '两个账户都属于系统，用户余额不变。这是一笔有编号的转账，可以冲正。',
  move: '转移',
  sameAccount: '请选择两个不同的账户。',
  reasonLead: '会与转账一起保存。',
  moved: '已转移 {{amount}}',
};
