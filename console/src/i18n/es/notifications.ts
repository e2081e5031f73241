import type { notifications as english } from '../en/notifications.ts';
import type { Translation } from '../texts.ts';

export const notifications: Translation<typeof english> = {
  title: 'Notificaciones',
  list: 'Actividad reciente',
  none: 'Aún no hay actividad',
  noneLead: 'Lo que elijas aquí aparece en esta lista, lo más reciente primero.',
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
    deposit_rejected: 'El operador rechazó un depósito de {{amount}}',
    deposit_unsupported: 'Un depósito no se acreditó: su token no se admite',
    payout_confirmed: 'Tu retiro de {{amount}} llegó',
    payout_rejected: 'Tu retiro de {{amount}} se rechazó',
    payout_failed: 'Tu retiro de {{amount}} falló',
    sign_in: 'Inicio de sesión desde una dirección IP nueva',
    reward_day: 'Ganaste {{amount}} el {{day}} (UTC)',
  },
  choices: 'Elige tus notificaciones',
  choicesLead: 'Los correos sobre la seguridad de tu cuenta se envían siempre.',
  kind: {
    device_offline: 'Dispositivo sin conexión',
    deposit: 'Depósitos',
    payout: 'Retiros',
    sign_in: 'Inicio de sesión desde una dirección IP nueva',
    reward_day: 'Recompensa diaria',
  },
  channel: { bell: 'Lista', mail: 'Correo', push: 'Push' },
  push: {
    title: 'Notificaciones push en tus navegadores',
    lead: 'El navegador muestra estas notificaciones aunque esta página esté cerrada.',
    here: 'Mostrar notificaciones en este navegador',
    insecure: 'Un navegador solo muestra notificaciones de direcciones https.',
    not_installed:
      'En un iPhone o iPad, agrega primero esta página a la pantalla de inicio: toca Compartir y ' +
      'luego “Agregar a inicio”. Ábrela desde allí, inicia sesión y activa aquí las ' +
      'notificaciones.',
    unsupported: 'Este navegador no puede mostrar notificaciones de sitios web.',
    blocked:
      'Este navegador bloquea las notificaciones de este sitio. Permítelas en la configuración ' +
      'del navegador y vuelve a cargar la página.',
    unreachable: 'El navegador no pudo conectarse con su servicio push. Inténtalo más tarde.',
    thisOne: 'Este navegador',
    unknown: 'Programa desconocido',
    failing: 'Su servicio push no recibe mensajes',
    remove: 'Quitar',
    removeName: 'Quitar {{program}}',
  },
  digest: 'Frecuencia de los correos',
  digests: {
    at_once: 'De inmediato',
    hourly: 'Una vez por hora como máximo',
    daily: 'Una vez al día, a las 8 de la mañana',
  },
  switchOf: '{{kind}}: {{channel}}',
  offlineAfter: 'Un dispositivo se considera sin conexión después de',
};
