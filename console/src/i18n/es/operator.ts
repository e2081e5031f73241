import type { operator as english } from '../en/operator.ts';
import type { Translation } from '../texts.ts';
import { audit } from './operator-audit.ts';
import { books, problem } from './operator-books.ts';
import { brand } from './operator-brand.ts';
import { chains } from './operator-chains.ts';
import { devices } from './operator-devices.ts';
import { holds, prices, settlements, statements, transfers } from './operator-ledger.ts';
import { applications, money } from './operator-money.ts';
import { overview, person } from './operator-overview.ts';
import { payouts } from './operator-payouts.ts';
import { rules } from './operator-rules.ts';
import { providers, registration, resources } from './operator-set-up.ts';

export const operator: Translation<typeof english> = {
  title: 'Operador',
  toAccount: 'Tu cuenta',
  notAllowed: 'Solo para operadores',
  notAllowedLead:
    'Pide acceso a un administrador. Si acabas de recibirlo, confirma tu identidad con una app ' +
    'de autenticación o una llave de acceso.',
  confirm: 'Confirmar tu identidad',
  confirmTitle: 'Confirma que eres tú',
  confirmLead:
    'El acceso de operador dura 15 minutos tras iniciar sesión con una app de autenticación o ' +
    'una llave de acceso.',
  confirmFirst:
    'Estas páginas requieren volver a iniciar sesión con una app de autenticación o una llave de ' +
    'acceso.',
  rightOver:
    'Tu acceso de operador venció. Inicia sesión de nuevo para continuar; lo que ingresaste se ' +
    'conserva.',
  nameAndNumber: '{{name}} ({{number}})',
  inUnit: '{{name}} ({{unit}})',
  view: {
    overview: 'Resumen',
    users: 'Personas',
    devices: 'Dispositivos',
    money: 'Dinero',
    transfers: 'Transferencias',
    payouts: 'Retiros',
    settlements: 'Liquidaciones',
    prices: 'Precios',
    chains: 'Cadenas',
    ledger: 'Libro mayor',
    rules: 'Reglas',
    applications: 'Aplicaciones',
    webhooks: 'Webhooks',
    brand: 'Marca',
    audit: 'Auditoría',
  },
  problem,
  users: {
    state: { active: 'Activa', disabled: 'Deshabilitada', closed: 'Cerrada' },
    keyword: 'Correo, apodo o número',
    anyStatus: 'Todas',
    search: 'Buscar',
    count_one: '{{count}} persona',
    count_many: '{{count}} de personas',
    count_other: '{{count}} personas',
    none: 'Ninguna persona coincide',
    disableName: 'Deshabilitar a {{name}}',
    enableName: 'Habilitar a {{name}}',
    disable: 'Deshabilitar',
    enable: 'Habilitar',
    disableTitle: '¿Deshabilitar a {{name}}?',
    enableTitle: '¿Habilitar a {{name}}?',
    disableLead:
      'Se desconectan todas las sesiones y todos los dispositivos de esta persona, y se bloquea ' +
      'el inicio de sesión.',
    enableLead: 'Esta persona puede iniciar sesión de nuevo.',
    reason: 'Motivo',
    reasonNeeded: 'Ingresa un motivo: se guarda en el registro de seguridad de esta persona.',
  },
  overview,
  person,
  money,
  statements,
  transfers,
  holds,
  settlements,
  prices,
  payouts,
  devices,
  audit,
  books,
  brand,
  applications,
  providers,
  resources,
  registration,
  chains,
  ledger: {
    books: 'Balance de comprobación',
    booksLead:
      'En cada moneda, los saldos del sistema y de las personas deben sumar cero. Este navegador ' +
      'calcula la suma.',
    balanced: '{{currency}}: cuadra',
    unbalanced: '{{currency}}: no cuadra',
    checkAgain: 'Comprobar de nuevo',
    noPostings: 'Aún no hay asientos',
    noPostingsLead: 'Las cuentas del sistema aparecen aquí con su primer asiento.',
    allPeople: 'Todas las personas',
    heads: 'Cabeceras firmadas',
    lead:
      'Guárdalas fuera de la base de datos: con ellas, edge-account verify detecta cambios ' +
      'posteriores. Aquí se ven las 14 últimas; el archivo las contiene todas.',
    none: 'Aún no hay cabeceras diarias',
    noneLead:
      'Cada día se firma después de la medianoche UTC. Las que firmes tú se guardan solo en tu ' +
      'dispositivo.',
    sign: 'Firmar y guardar ahora',
    signed: 'Guardada como {{file}}. Aquí solo aparecen las cabeceras diarias.',
    save: 'Guardar las diarias',
    journal: 'Diario',
    journalLead:
      'Todo el libro mayor como texto para ledger o hledger, con los saldos al final para ' +
      'comprobarlo.',
    saveJournal: 'Guardar el diario',
  },
  rules,
  webhooks: {
    none: 'No hay webhooks',
    noneLead:
      'Los eventos se envían a servidores de negocio; lo que no se pudo entregar se conserva aquí.',
    add: 'Agregar un webhook',
    openName: 'Detalles de {{name}}',
    url: 'Dirección (https)',
    description: 'Nombre',
    types: 'Eventos',
    typesLead:
      'Por ejemplo, deposit.credited, o deposit.* para todos los de un tipo. Vacío: todos.',
    create: 'Crear el webhook',
    save: 'Guardar',
    secretLead:
      'Este es el secreto de firma; solo se muestra ahora. Guárdalo en el servidor que recibe ' +
      'los mensajes.',
    copySecret: 'Copiar el secreto',
    secretKept: 'Ya lo guardé',
    active: 'Enviar mensajes',
    deadTitle: 'Mensajes no entregados',
    deliveries: 'Entregas',
    states: { dead: 'Fallidas', pending: 'En espera', delivered: 'Entregadas' },
    noneOf: {
      pending: 'No hay mensajes en espera.',
      delivered: 'No se entregó nada en los últimos 7 días.',
    },
    openMessage: 'Abrir el mensaje {{id}}, {{type}}',
    message: 'Mensaje {{id}}',
    type: 'Evento',
    attempts: 'Intentos',
    lastAnswer: 'Última respuesta',
    queuedAt: 'En cola desde',
    nextAttempt: 'Próximo intento',
    deliveredAt: 'Entregado',
    body: 'Contenido',
    copyBody: 'Copiar el contenido',
    sendNow: 'Enviar ahora',
    error: {
      answered: 'respondió {{status}}',
      timeout: 'sin respuesta en {{milliseconds}}',
      redirected: 'respondió {{status}} con una redirección, que no se sigue',
      answer_too_large: 'la respuesta es mayor que {{bytes}}',
      connection_failed: 'sin conexión ({{cause}})',
      unreachable: 'la conexión se interrumpió',
      unresolvable: 'su nombre no se conoce',
      address_refused: 'su dirección no es de la internet pública',
      not_https: 'la dirección no empieza con https',
      malformed_url: 'la dirección no se puede leer',
    },
    noDead: 'Todo se entregó.',
    noDeadYet: 'No hay mensajes sin entregar.',
    redeliverOne: 'Enviar de nuevo',
    test: 'Enviar una prueba',
    tested: 'Un mensaje de prueba está en camino.',
    testWaits: 'El mensaje de prueba espera hasta que se active el webhook.',
    rotate: 'Nuevo secreto',
    rotated:
      'Durante 24 horas los mensajes llevan dos firmas: la del secreto anterior y la de este.',
    delete: 'Eliminar',
    deleteSure: 'Sí, eliminarlo',
    on: 'Activado',
    off: 'Desactivado',
    pending_one: '{{count}} pendiente',
    pending_many: '{{count}} pendientes',
    pending_other: '{{count}} pendientes',
    dead_one: '{{count}} mensaje no entregado',
    dead_many: '{{count}} de mensajes no entregados',
    dead_other: '{{count}} mensajes no entregados',
    redeliver: 'Reenviar todo lo de 30 días',
    queued_one: 'Se envía de nuevo {{count}} mensaje.',
    queued_many: 'Se envían de nuevo {{count}} de mensajes.',
    queued_other: 'Se envían de nuevo {{count}} mensajes.',
    queuedWaits_one: '{{count}} mensaje espera hasta que se active el webhook.',
    queuedWaits_many: '{{count}} de mensajes esperan hasta que se active el webhook.',
    queuedWaits_other: '{{count}} mensajes esperan hasta que se active el webhook.',
    waiting_one: '{{count}} mensaje espera: activa el webhook para enviarlo.',
    waiting_many: '{{count}} de mensajes esperan: activa el webhook para enviarlos.',
    waiting_other: '{{count}} mensajes esperan: activa el webhook para enviarlos.',
  },
};
