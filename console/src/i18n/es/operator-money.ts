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
  depositReason: {
    too_many_decimals: 'Tiene más decimales que {{currency}} aquí. Debes decidir.',
    decimals_differ:
      'El contrato tiene {{told}} decimales, no {{configured}} como aquí. Debes decidir.',
    ledger_refused: 'El libro mayor lo rechazó. Debes decidir.',
    not_taken_back:
      'Su bloque fue reemplazado después de acreditarse. Debes decidir sobre el monto.',
    operator_looks: 'Un operador lo retuvo.',
    operator_rejected: 'Un operador decidió no acreditarlo.',
    operator_reversed: 'Un operador lo revirtió.',
  },
  held: 'Recompensas por referidos retenidas',
  heldLead: 'Referidos que comparten claves o direcciones con otros.',
  noHeld: 'No hay recompensas retenidas',
  sharedAddress: 'comparte una dirección con otros',
  sharedKey: 'comparte una clave con otros',
  releaseHeldTitle: '¿Liberar las recompensas retenidas por {{name}}?',
  releaseHeldLead:
    'A quienes la refirieron se les paga lo retenido, y las recompensas posteriores a medida que ' +
    'lleguen.',
  rewards: 'Recompensas manuales',
  rewardsLead: 'Para lo que ninguna regla paga. Cada una aparece en los movimientos de la persona.',
  payReward: 'Pagar una recompensa',
  person: 'Número de la persona',
  unknownCurrency: 'No admitidas',
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
  lead: 'Aplicaciones que piden acceso a las personas y servidores que actúan por sí mismos.',
  add: 'Agregar una aplicación',
  none: 'No hay aplicaciones registradas',
  openName: 'Abrir {{name}}',
  on: 'Activada',
  off: 'Desactivada',
  public: 'Sin secreto (navegador, teléfono)',
  confidential: 'Con secreto (servidor)',
  name: 'Nombre',
  nameLead: 'Las personas lo leen cuando la aplicación pide acceso.',
  type: 'Tipo',
  redirectUris: 'URI de redirección',
  redirectUrisLead:
    'Separados por espacios; se comparan exactamente. Vacío si el servidor no inicia la sesión ' +
    'de ninguna persona.',
  scopes: 'Permisos (scopes)',
  scopesLead: 'Separados por espacios: todo lo que la aplicación puede pedir.',
  grants: 'Cómo obtiene tokens',
  grantsLead: 'Sin elegir: según su tipo y sus URI de redirección.',
  grant: {
    code: 'Las personas inician sesión con ella en un navegador',
    refresh: 'Mantiene la sesión (tokens de actualización)',
    device: 'Las personas la autorizan con un código (device flow)',
    credentials: 'Actúa por sí misma, con su secreto',
    exchange: 'Intercambia tokens de personas',
  },
  firstParty: 'Es nuestra: no se pide el consentimiento de las personas',
  requirePkce: 'Debe usar PKCE; solo se desactiva si no puede',
  more: 'Más ajustes',
  clientIdLead: 'Letras, dígitos y . _ ~ -, por ejemplo weather-app. Vacío: se elige al azar.',
  authMethod: 'Cómo prueba quién es',
  bySecret: 'Con su secreto',
  byKey: 'Con un JWT que firma (private_key_jwt)',
  uris: {
    policy_uri: 'Política de privacidad',
    tos_uri: 'Términos del servicio',
    logo_uri: 'Logotipo',
    backchannel_logout_uri: 'Dirección para los tokens de cierre de sesión',
  },
  uriLeads: {
    policy_uri: 'https. Se enlaza donde se pide acceso a las personas.',
    tos_uri: 'https. Se enlaza donde se pide acceso a las personas.',
    logo_uri: 'https. PNG, JPEG o WebP de 64 KB como máximo; el servicio guarda una copia.',
    backchannel_logout_uri:
      'https. Recibe un token cuando termina una sesión (back-channel logout).',
  },
  afterLogout: 'Direcciones después de cerrar sesión',
  afterLogoutLead: 'Separadas por espacios; se comparan exactamente.',
  roles: 'Roles',
  rolesLead: 'Uno en cada línea: un grupo, un espacio y su rol en esta aplicación.',
  lifetimes: {
    access_token_lifetime: 'Token de acceso (segundos)',
    refresh_token_lifetime: 'Token de actualización (segundos)',
  },
  lifetimesLead: 'Validez de los tokens, desde 60. Vacío: tanto como permita el servicio.',
  keys: 'Claves públicas (JWKS)',
  keysLead:
    'JSON según RFC 7517. Para una aplicación que firma sus solicitudes o se autentica con una ' +
    'clave.',
  keysUri: 'Dirección de las claves públicas',
  keysUriLead: 'https. En lugar de las claves de arriba.',
  algorithm: 'Firma de los tokens de ID',
  requirements: {
    require_pushed_authorization_requests:
      'Debe enviar antes sus solicitudes de autorización (PAR)',
    require_signed_request_object: 'Debe firmar sus solicitudes de autorización (JAR)',
  },
  wrong: {
    jwks: 'Ingresa un conjunto de claves en JSON, por ejemplo {"keys":[…]}.',
    roles: 'Ingresa un grupo y un rol en cada línea, por ejemplo: staff editor',
  },
  create: 'Registrar',
  save: 'Guardar',
  clientId: 'ID de cliente',
  enabled: 'Puede iniciar la sesión de personas y obtener tokens',
  rotate: 'Nuevo secreto',
  delete: 'Eliminar',
  deleteTitle: '¿Eliminar {{name}}?',
  deleteLead:
    'Sus tokens se rechazan de inmediato y termina lo que las personas le permitieron. No se ' +
    'puede recuperar.',
  secretLead: 'Guarda este secreto ahora: se muestra una sola vez.',
  copySecret: 'Copiar el secreto',
  secretKept: 'Ya lo guardé',
};
