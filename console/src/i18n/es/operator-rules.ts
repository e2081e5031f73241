import type { rules as english } from '../en/operator-rules.ts';
import type { Translation } from '../texts.ts';

export const rules: Translation<typeof english> = {
  view: 'Borrador como',
  views: { fields: 'Formulario', json: 'JSON' },
  notInForm: 'El formulario no tiene lugar para una parte de este texto. Continúa con el JSON.',
  changes: 'Lo que cambia',
  noChanges: 'Nada: la versión {{version}} dice lo mismo.',
  noChangesToActive: 'Nada: las reglas vigentes dicen lo mismo.',
  noRulesYet: 'Nada todavía: no hay reglas con las que comparar.',
  form: {
    uptime: 'Tiempo en línea',
    uptimeLead: 'Vacío: no se recompensa.',
    perHour: 'Recompensa por hora en línea',
    traffic: 'Tráfico',
    trafficLead: 'Medido por los relés. * es toda categoría que ninguna otra fila nombra.',
    category: 'Categoría',
    perGb: 'Recompensa por GB',
    addTraffic: 'Agregar una categoría',
    removeTraffic: 'Quitar la categoría {{n}}',
    referral: 'Referidos',
    referralLead:
      'El nivel 1 son los referidos directos. Se paga aparte, nunca a costa del referido.',
    percent: 'Porcentaje',
    uptimeHours: 'Horas en línea',
    addresses: 'Direcciones propias',
    addLevel: 'Agregar un nivel',
    removeLevel: 'Quitar el nivel {{n}}',
    limits: 'Límites',
    limitsLead: 'Vacío: sin límite.',
    campaigns: 'Campañas',
    campaignsLead:
      'Porcentaje adicional sobre tiempo en línea y tráfico, en horas completas de UTC.',
    name: 'Nombre',
    before: 'Hasta (UTC)',
    devices: 'Dispositivos',
    allDevices: 'Todos',
    addCampaign: 'Agregar una campaña',
    removeCampaign: 'Quitar la campaña {{n}}',
    penalty: 'Penalización',
    penaltyLead:
      'Por un reporte con más bytes de los que un dispositivo puede mover. Vacío: ninguna.',
    perReport: 'Se descuenta por reporte',
    limit: {
      devices_per_user: 'Dispositivos de una persona',
      devices_per_address: 'Dispositivos en una dirección',
      gb_per_device_hour: 'GB por dispositivo y hora',
    },
    from: 'Desde (UTC)',
  },
  lead: 'Cada hora se paga según la versión que estaba activa entonces.',
  none: 'Aún no hay reglas',
  noneLead:
    'No se pagan recompensas hasta que haya una versión activa. Crea un borrador, pruébalo y ' +
    'actívalo.',
  example: {
    lead: 'O empieza con un ejemplo, que puedes cambiar cuando quieras. Paga:',
    uptime: '{{uptime}} {{currency}} por cada hora en línea',
    traffic: '{{traffic}} {{currency}} por cada GB',
    referral:
      '{{percent}} por ciento de eso a quien refirió a la persona, tras {{hours}} horas en línea ' +
      'y con una dirección de red propia',
    use: 'Usar este ejemplo',
    activate: 'Activar el ejemplo',
    activated: 'El ejemplo se aplica desde la próxima hora completa.',
  },
  pays: {
    traffic: '{{category}}: {{traffic}} {{currency}} por cada GB',
    referral: '{{percent}} por ciento al nivel {{level}} de referidos',
    campaigns_one: '{{count}} campaña',
    campaigns_many: '{{count}} de campañas',
    campaigns_other: '{{count}} campañas',
    penalty: '{{penalty}} {{currency}} de descuento por cada reporte inverosímil',
    nothing: 'No paga nada',
  },
  draft: 'Crear un borrador',
  text: 'Reglas',
  textLead: 'En JSON; empieza como copia de la versión más reciente.',
  notJson: 'Esto no es JSON válido.',
  saveDraft: 'Guardar el borrador',
  show: 'Mostrar',
  showName: 'Mostrar la versión {{version}}',
  change: 'Cambiar',
  changeName: 'Cambiar la versión {{version}}',
  createdBy: 'Redactada por',
  createdAt: 'Redactada',
  hash: 'Hash del texto',
  version: 'Versión {{version}}',
  isDraft: 'Borrador',
  activeFrom: 'Se activa desde',
  activeSince: 'Activa desde',
  wasActiveFrom: 'Estuvo activa desde',
  dryRun: 'Simulación',
  dryRunLead_one:
    'Las últimas 24 horas, como se pagaron y como pagaría esta versión. Se paga a {{count}} ' +
    'persona.',
  dryRunLead_many:
    'Las últimas 24 horas, como se pagaron y como pagaría esta versión. Se paga a {{count}} de ' +
    'personas.',
  dryRunLead_other:
    'Las últimas 24 horas, como se pagaron y como pagaría esta versión. Se paga a {{count}} ' +
    'personas.',
  nothing: 'En estas horas no se pagó ninguna recompensa, ni se pagaría.',
  byKind: 'Por tipo de recompensa',
  byPerson: 'Por persona',
  now: 'Pagado',
  would: 'Se pagaría',
  difference: 'Diferencia',
  activate: 'Activar',
  activateTitle: '¿Activar la versión {{version}}?',
  activateLead: 'Se aplica desde la hora que elijas. Las horas anteriores no cambian.',
};
