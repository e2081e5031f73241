import type * as english from '../en/operator-books.ts';
import type { Translation } from '../texts.ts';

export const books: Translation<typeof english.books> = {
  moveTitle: 'Mover entre cuentas',
  moveLead:
    'Ambas cuentas son del sistema; ninguna persona recibe ni pierde nada. Es una transferencia ' +
    'con número y se puede revertir.',
  move: 'Mover',
  sameAccount: 'Elige dos cuentas distintas.',
  reasonLead: 'Se conserva con la transferencia.',
  moved: '{{amount}} movidos',
};
