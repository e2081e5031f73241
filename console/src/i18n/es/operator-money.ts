import type { operator as english } from '../en/operator.ts';
import type { Translation } from '../texts.ts';

export const money: Translation<typeof english.money> = {
  deposits: 'Depósitos',
  depositsLead: 'Los retenidos se acreditan cuando se liberan.',
  noDeposits: 'Ningún depósito espera una decisión',
  hold: 'Retener',
  release: 'Liberar',
  reject: 'Rechazar',
  holdTitle: '¿Retener este depósito?',
  releaseTitle: '¿Liberar este depósito?',
  rejectTitle: '¿Rechazar este depósito?',
  holdLead: 'No se acredita hasta que se libere. La persona ve el motivo.',
  releaseLead: 'Se acredita en cuanto tenga suficientes confirmaciones.',
  rejectLead: 'Nunca se acredita. La persona ve el motivo.',
  reason: 'Motivo, visible para la persona',
  reasonNeeded: 'Ingresa un motivo: la persona lo ve.',
  held: 'Recompensas por referidos retenidas',
  heldLead: 'Referidos que comparten claves o direcciones con otros.',
  noHeld: 'No hay recompensas retenidas',
  sharedAddress: 'comparte una dirección con otros',
  sharedKey: 'comparte una clave con otros',
  releaseHeldTitle: '¿Liberar las recompensas retenidas por {{name}}?',
  releaseHeldLead:
    'A quienes la invitaron se les paga lo retenido, y las recompensas posteriores a medida que ' +
    'lleguen.',
  rewards: 'Recompensas manuales',
  rewardsLead: 'Para lo que ninguna regla paga. Cada una aparece en los movimientos de la persona.',
  payReward: 'Pagar una recompensa',
  person: 'Número de la persona',
  personInvalid: 'Ingresa el número de una persona, como aparece en la lista de personas.',
  amount: 'Monto',
  currency: 'Moneda',
  rewardType: 'Tipo de recompensa',
  remark: 'Nota, visible para la persona',
  pay: 'Pagar',
  paid: 'Se pagaron {{amount}} a la persona {{id}}.',
  prices: 'Precios',
  pricesLead:
    'Los usan las conversiones y los valores totales. Con un precio de más de 10 minutos no se ' +
    'convierte nada.',
  noPrices: 'No hay ningún precio',
  setPrice: 'Definir un precio',
  change: 'Cambiar',
  quoteCurrency: 'Precio en',
  price: 'Precio',
  priceLead: 'Por una unidad de la moneda.',
};

export const applications: Translation<typeof english.applications> = {
  lead: 'Aplicaciones que piden acceso a los usuarios y servidores que actúan por sí mismos.',
  add: 'Agregar una aplicación',
  none: 'No hay aplicaciones registradas',
  openName: 'Abrir {{name}}',
  on: 'activada',
  off: 'desactivada',
  public: 'Sin secreto (navegador, teléfono)',
  confidential: 'Con secreto (servidor)',
  name: 'Nombre',
  nameLead: 'Los usuarios lo leen cuando la aplicación pide acceso.',
  type: 'Tipo',
  redirectUris: 'URI de redirección',
  redirectUrisLead:
    'Separados por espacios; se comparan exactamente. Vacío si el servidor no inicia la sesión ' +
    'de ningún usuario.',
  scopes: 'Permisos (scopes)',
  scopesLead: 'Separados por espacios: todo lo que la aplicación puede pedir.',
  create: 'Registrar',
  save: 'Guardar',
  clientId: 'ID de cliente',
  enabled: 'Puede iniciar la sesión de usuarios y obtener tokens',
  rotate: 'Nuevo secreto',
  delete: 'Eliminar',
  deleteTitle: '¿Eliminar {{name}}?',
  deleteLead:
    'Sus tokens se rechazan de inmediato y termina lo que los usuarios le permitieron. No se ' +
    'puede recuperar.',
  secretLead: 'Guarda este secreto ahora: se muestra una sola vez.',
  copySecret: 'Copiar el secreto',
  secretKept: 'Ya lo guardé',
};
