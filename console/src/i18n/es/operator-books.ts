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
  code: 'Código',
  wallets: 'Billeteras y cuentas del sistema',
  walletsLead: 'Cada persona tiene una billetera de cada tipo. Las otras son cuentas de la red.',
  addWallet: 'Agregar una billetera',
  walletForGood: 'Es definitivo: no se pueden cambiar su código ni su titular, y permanece.',
  walletCodeLead: 'De 2 a 32 letras minúsculas, dígitos y guiones bajos.',
  walletTaken: 'Este código ya existe.',
  owner: 'Pertenece a',
  ofHouse: 'La red',
  ofPeople: 'Cada persona',
  currencies: 'Monedas',
  currenciesLead: 'Lo que el libro mayor puede contener. Sus decimales nunca cambian.',
  addCurrency: 'Agregar una moneda',
  currencyForGood: 'Es definitivo: la moneda permanece y sus decimales no se podrán corregir.',
  currencyCodeLead: 'De 2 a 16 letras mayúsculas y dígitos.',
  scaleLead: 'Decimales de una unidad, de 0 a 30; 8 para BTC.',
  networks: 'Abierta a depósitos en',
  decimals_one: '{{count}} decimal',
  decimals_many: '{{count}} de decimales',
  decimals_other: '{{count}} decimales',
};

export const problem: Translation<typeof english.problem> = {
  own_client: 'El servicio necesita esta aplicación. Puedes desactivarla.',
  already_reversed: 'Esto ya se revirtió.',
  not_reversible: 'Esto no se puede revertir.',
  refund_too_large: 'Es más de lo que queda de la compra.',
  settlement_done: 'Esta liquidación ya terminó.',
  hold_of_payout: 'Esto pertenece a un retiro y se decide allí.',
  hold_not_open: 'Esto ya se pagó o se devolvió.',
  hold_expired: 'Su plazo terminó: el dinero se devuelve solo.',
  wallet_exists: 'Este código ya existe, con otro titular.',
  wallet_limit: 'No puede haber más billeteras.',
};
