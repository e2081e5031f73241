import type * as english from '../en/operator-set-up.ts';
import type { Translation } from '../texts.ts';

export const providers: Translation<typeof english.providers> = {
  title: 'Proveedores de inicio de sesión',
  lead: 'Proveedores OpenID ajenos: las personas inician sesión con sus cuentas y las vinculan.',
  add: 'Agregar un proveedor',
  none: 'Las personas inician sesión solo con las cuentas de este servicio',
  provider: 'Proveedor',
  other: 'Otro',
  preset: { google: 'Google', apple: 'Apple', microsoft: 'Microsoft', telegram: 'Telegram' },
  id: 'Nombre corto',
  idLead:
    'No se puede cambiar después. Registra antes {{address}} en el proveedor como URI de ' +
    'redirección.',
  taken: 'Este nombre ya existe: abre ese.',
  label: 'Nombre al iniciar sesión',
  issuer: 'Emisor',
  issuerLead: 'Una dirección https. Sus metadatos se leen de inmediato.',
  secret: 'Secreto de cliente',
  secretLead: 'Se guarda cifrado y nunca se muestra. Vacío si el cliente no tiene.',
  secretKept: 'Ya hay uno guardado. Déjalo vacío para conservarlo.',
  teamId: 'ID del equipo',
  keyId: 'ID de la clave',
  privateKey: 'Clave privada',
  privateKeyLead: 'El archivo que entrega Apple, como texto. Se guarda cifrado; no se muestra.',
  scopesLead: 'Separados por espacios, con openid. Vacío al agregarlo: los habituales.',
  secondFactor: 'Segundos factores del proveedor',
  secondFactorLead:
    'Valores de amr que cuentan como segundo factor, separados por espacios. Vacío: se pide aquí.',
  redirectUri: 'URI de redirección',
  enabled: 'Las personas pueden iniciar sesión con él',
  create: 'Configurar',
  delete: 'Quitar el proveedor',
  deleteTitle: '¿Quitar {{name}}?',
  deleteLead:
    'Nadie podrá iniciar sesión con él. Quienes no tengan contraseña la crean con un ' +
    'restablecimiento. Las cuentas vinculadas vuelven a contar si se configura de nuevo.',
};

export const resources: Translation<typeof english.resources> = {
  title: 'API propias',
  lead: 'Aceptan tokens de acceso de este servicio; las aplicaciones pueden recibir sus scopes.',
  add: 'Agregar una API',
  none: 'Ninguna API acepta tokens de este servicio',
  id: 'Nombre corto',
  audience: 'Audiencia',
  audienceLead: 'La dirección de la API: los tokens la nombran. No se puede cambiar después.',
  scopesLead: 'Uno por línea: su nombre, un espacio y lo que permite, para que se lea.',
  scopesNeeded: 'Indica en cada línea lo que permite el scope, después de su nombre.',
  enabled: 'Recibe tokens',
  delete: 'Quitar la API',
  deleteTitle: '¿Quitar {{name}}?',
  deleteLead:
    'No mientras una aplicación tenga uno de sus scopes. Desactívala para detenerla de inmediato.',
};

export const registration: Translation<typeof english.registration> = {
  title: 'Registro por programas',
  lead: 'Con un token, un programa registra aplicaciones por sí mismo (registro dinámico).',
  issue: 'Emitir un token',
  uses: 'Aplicaciones que registra',
  days: 'Días hasta que vence',
  scopesLead: 'Separados por espacios: todo lo que estas aplicaciones pueden pedir.',
};
