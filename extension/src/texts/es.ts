import type { Texts } from './en.ts';

export const texts: Texts = {
  signedOut: 'Sin sesión iniciada.',
  signedOutLead: 'Inicia sesión y este navegador será un dispositivo de la red.',
  online: 'En línea.',
  onlineLead: 'Este navegador es un dispositivo de la red.',
  connecting: 'Conectando…',
  stopped: 'Detenido: {{reason}}.',
  waiting: 'Se intenta de nuevo: {{reason}}.',
  signedOutHere:
    'se cerró la sesión solo en este dispositivo; no se pudo contactar al servicio: {{reason}}',
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  earnedToday: 'Ganado hoy',
  earnedYesterday: 'Ayer',
  notPaying: 'Esta red aún no ha empezado a pagar recompensas.',
  dashboard: 'Ganancias y dispositivos',
};
