import type { deposits as english } from '../en/deposits.ts';
import type { Translation } from '../texts.ts';

export const deposits: Translation<typeof english> = {
  title: 'Depositar',
  addressTitle: 'Tu dirección de depósito',
  currency: 'Moneda',
  network: 'Red',
  warning: 'Envía a esta dirección solo {{currency}}, y solo por la red {{network}}.',
  delayed:
    'Por ahora no se puede leer la red {{network}}: los depósitos aparecen tarde, pero no se ' +
    'pierde ninguno.',
  warningCompare:
    'La plataforma o billetera desde la que envías debe usar la misma red. Si tienes dudas, ' +
    'pregunta allí primero.',
  warningLost: 'Los pagos por otra red, o en otro token, pueden perderse.',
  warningContract:
    'El contrato del token es el que se indica abajo; otros con el mismo nombre no se acreditan.',
  warningMinimum: 'Menos de {{amount}} no se acredita.',
  warningCoin:
    'No se detecta {{currency}} enviado por un contrato inteligente: envíalo desde una cuenta ' +
    'común.',
  qr: 'Código QR de tu dirección de {{currency}}',
  yourAddress: 'Dirección',
  copyAddress: 'Copiar la dirección',
  memo: 'Memo: es necesario; sin él, no se puede saber que el dinero es tuyo',
  copyMemo: 'Copiar el memo',
  minimum: 'Depósito mínimo',
  confirmationsNeeded: 'Confirmaciones necesarias',
  confirmationsIn: '{{count}} (unos {{time}})',
  contract: 'Contrato del token',
  notOpen: 'Aún no se reciben depósitos',
  notOpenLead: 'El operador todavía no ha conectado ninguna red.',
  networkNotOpen: 'Aquí no se reciben depósitos en {{network}}',
  networkNotOpenLead: 'Elige otra red.',
  records: 'Depósitos',
  all: 'Todas',
  since: 'Desde',
  until: 'Hasta',
  count_one: '{{count}} depósito',
  count_many: '{{count}} de depósitos',
  count_other: '{{count}} depósitos',
  noMatch: 'Ningún depósito coincide con estos filtros',
  none: 'Aún no hay depósitos',
  noneLead:
    'Un depósito aparece aquí cuando la red lo tiene, y se acredita después de sus ' +
    'confirmaciones.',
  confirmations: 'Confirmaciones',
  confirmationsOf: '{{done}} de {{needed}}',
  detected: 'Detectado',
  credited: 'Acreditado',
  from: 'Origen',
  toAddress: 'Destino',
  transaction: 'Transacción',
  copyHash: 'Copiar el hash',
  explorer: 'Abrir en el explorador',
  reasonGiven: 'Motivo indicado',
  reason: {
    waits_for_endpoints:
      'Tiene suficientes confirmaciones y se acredita cuando varios servidores coincidan sobre ' +
      'su bloque.',
    block_replaced:
      'Su bloque fue reemplazado. Se confirma de nuevo cuando la red vuelva a incluirlo.',
    block_replaced_reversed:
      'Su bloque fue reemplazado después de acreditarse, por eso se revirtió hasta que la red ' +
      'vuelva a incluirlo.',
    below_minimum: 'Es menos que el depósito mínimo, {{amount}}, por eso no se acredita.',
    coin_not_supported: 'La moneda nativa de esta red no se admite aquí, por eso no se acredita.',
    token_not_supported: 'Este token no se admite en esta red, por eso no se acredita.',
    switched_off:
      'Los depósitos de {{currency}} en esta red están desactivados, por eso no se acredita.',
    too_many_decimals: 'Tiene más decimales que {{currency}} aquí. El operador lo está revisando.',
    decimals_differ:
      'El contrato tiene {{told}} decimales, no {{configured}} como aquí. El operador lo está ' +
      'revisando.',
    ledger_refused: 'El libro mayor lo rechazó. El operador lo está revisando.',
    not_taken_back:
      'Su bloque fue reemplazado después de acreditarse. El operador está revisando el monto.',
    operator_looks: 'El operador lo está revisando.',
    operator_rejected: 'El operador decidió no acreditarlo.',
    operator_reversed: 'El operador lo revirtió.',
  },
};
