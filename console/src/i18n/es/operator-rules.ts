import type { rulesForm as english } from '../en/operator-rules.ts';
import type { Translation } from '../texts.ts';

export const rulesForm: Translation<typeof english> = {
  uptime: 'Tiempo en línea',
  uptimeLead: 'Vacío: no se recompensa.',
  perHour: 'Recompensa por hora en línea',
  traffic: 'Tráfico',
  trafficLead: 'Lo que midieron los relés. * es toda categoría que ninguna otra fila nombra.',
  category: 'Categoría',
  perGb: 'Recompensa por GB',
  addTraffic: 'Añadir categoría',
  removeTraffic: 'Quitar categoría {{n}}',
  referral: 'Invitaciones',
  referralLead:
    'El nivel 1 son los invitados directos. Se paga aparte, nunca a costa del invitado.',
  percent: 'Porcentaje',
  uptimeHours: 'Horas en línea antes',
  addresses: 'Direcciones propias',
  addLevel: 'Añadir nivel',
  removeLevel: 'Quitar nivel {{n}}',
  limits: 'Límites',
  limitsLead: 'Vacío: sin límite.',
  campaigns: 'Campañas',
  campaignsLead: 'Porcentaje adicional sobre tiempo en línea y tráfico, en horas completas de UTC.',
  name: 'Nombre',
  before: 'Hasta (UTC)',
  devices: 'Dispositivos',
  allDevices: 'Todos',
  addCampaign: 'Añadir campaña',
  removeCampaign: 'Quitar campaña {{n}}',
  penalty: 'Penalización',
  penaltyLead:
    'Por un informe con más bytes de los que un dispositivo puede mover. Vacío: ninguna.',
  perReport: 'Se descuenta por informe',
  limit: {
    devices_per_user: 'Dispositivos de una persona',
    devices_per_address: 'Dispositivos en una dirección',
    gb_per_device_hour: 'GB por dispositivo y hora',
  },
  from: 'Desde (UTC)',
};
