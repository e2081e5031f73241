import type { notifications as english } from '../en/notifications.ts';
import type { Translation } from '../texts.ts';

export const notifications: Translation<typeof english> = {
  title: 'Notificaciones',
  list: 'Qué pasó',
  none: 'Todavía no pasó nada',
  noneLead: 'Lo que elijas aquí aparece en esta lista durante 90 días.',
  new: 'Nueva',
  more: 'Mostrar anteriores',
  unknown: 'Pasó algo en tu cuenta',
  message: {
    device_offline: '{{name}} está sin conexión',
    devices_offline_many: '{{count}} de dispositivos están sin conexión',
    devices_offline_one: '{{count}} dispositivo está sin conexión',
    devices_offline_other: '{{count}} dispositivos están sin conexión',
    deposit_credited: 'Se acreditó un depósito de {{amount}}',
    deposit_below_minimum: 'Un depósito de {{amount}} no alcanza el mínimo',
    deposit_on_hold: 'Un depósito de {{amount}} está retenido',
    deposit_reversed: 'Se revirtió un depósito de {{amount}}',
    payout_confirmed: 'Tu retiro de {{amount}} llegó',
    payout_rejected: 'Tu retiro de {{amount}} se rechazó',
    payout_failed: 'Tu retiro de {{amount}} falló',
    sign_in: 'Inicio de sesión desde una dirección de red nueva',
    reward_day: 'Ganaste {{amount}} el {{day}} (UTC)',
  },
  choices: 'Elige tus notificaciones',
  choicesLead: 'Los correos sobre la seguridad de tu cuenta se envían siempre.',
  kind: {
    device_offline: 'Un dispositivo está sin conexión',
    deposit: 'Depósitos',
    payout: 'Retiros',
    sign_in: 'Inicio de sesión desde una dirección de red nueva',
    reward_day: 'La recompensa de un día',
  },
  channel: { bell: 'En esta lista' },
  switchOf: '{{kind}}: {{channel}}',
  offlineAfter: 'Un dispositivo se considera sin conexión después de',
};
