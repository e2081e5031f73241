import type { security as english } from '../en/security.ts';
import type { Translation } from '../texts.ts';

export const security: Translation<typeof english> = {
  title: 'Seguridad',
  signOut: 'Cerrar sesión',
  save: 'Guardar',
  saved: 'Guardado.',
  profile: 'Perfil',
  nickname: 'Apodo',
  email: 'Correo electrónico',
  password: 'Contraseña',
  accountNumber: 'Número de cuenta',
  memberSince: 'Miembro desde',
  changeIt: 'Cambiar',
  change: {
    nickname: 'Cambiar el apodo',
    email: 'Cambiar el correo',
    password: 'Cambiar la contraseña',
  },
  oldPassword: 'Contraseña actual',
  wrongPassword: 'La contraseña no es correcta.',
  passwordEndsSessions: 'Se cerrarán tus demás sesiones.',
  newEmail: 'Nuevo correo',
  sendCodes: 'Enviar códigos',
  emailCodes:
    'Enviamos un código a ambas direcciones. Se necesitan los dos para cambiar la dirección.',
  codeTo: 'Código enviado a {{email}}',
  identities: 'Inicio de sesión con otras cuentas y billeteras',
  identitiesLead: 'Pueden reemplazar tu contraseña. El segundo factor se mantiene.',
  identityUsed: 'Último uso',
  identityLinked: 'La cuenta está vinculada.',
  noPasswordLead:
    'Tu cuenta no tiene contraseña. Para definir una, cierra sesión y elige “¿Olvidaste tu ' +
    'contraseña?”.',
  linkWalletLead: 'Inicia sesión con esta billetera. Firma un mensaje, lo que no cuesta nada.',
  linkWalletName: 'Vincular la billetera {{name}}',
  walletLinked: 'La billetera está vinculada.',
  walletDeclined: 'La billetera no firmó. No se vinculó nada.',
  linkCancelled: 'No se vinculó ninguna cuenta.',
  link: 'Vincular',
  linkName: 'Vincular una cuenta de {{label}}',
  linkLead: 'Inicia sesión con tu cuenta de {{label}}.',
  unlink: 'Desvincular',
  unlinkName: 'Desvincular la cuenta de {{name}}',
  unlinkTitle: '¿Desvincular la cuenta de {{name}}?',
  unlinkText: 'Ya no podrás iniciar sesión con ella. Puedes vincularla de nuevo más adelante.',
  factors: 'Segundos factores',
  factorsLead:
    'Un segundo factor protege tu cuenta si te roban la contraseña. El más seguro es una llave ' +
    'de acceso.',
  authenticator: 'App de autenticación',
  authenticatorOn: 'Activada',
  authenticatorOff: 'Una app en tu teléfono muestra un código nuevo cada 30 segundos.',
  authenticatorIntro:
    'Necesitas una app de autenticación en tu teléfono. A continuación, escanea un código con ' +
    'ella.',
  scan: 'Escanea esto con tu app de autenticación y luego ingresa el código que muestra.',
  scanLabel: 'Código QR para tu app de autenticación',
  typeSecret: 'O escríbelo:',
  copySecret: 'Copiar el secreto',
  begin: 'Empezar',
  confirm: 'Confirmar',
  remove: 'Quitar',
  removeAuthenticator: 'Quitar la app de autenticación',
  removeAuthenticatorTitle: '¿Quitar la app de autenticación?',
  removePasskeyTitle: '¿Quitar la llave de acceso {{name}}?',
  removeFactorLead: 'Ya no servirá para iniciar sesión.',
  removeLastFactorLead:
    'Es tu único factor fuerte. Después de esto, tu buzón y tu contraseña bastan para iniciar ' +
    'sesión.',
  setUp: 'Activar',
  addedOn: 'Agregada',
  passkey: 'Llave de acceso',
  passkeyLead: 'Huella, rostro o bloqueo del dispositivo en lugar de un código.',
  addPasskey: 'Agregar una llave de acceso',
  add: 'Agregar',
  removePasskey: 'Quitar {{name}}',
  passkeyIntro: 'Tu navegador te pedirá la huella, el rostro o el bloqueo del dispositivo.',
  passkeyName: 'Mi dispositivo',
  passkeyNameLabel: 'Nombre de la llave de acceso',
  createPasskey: 'Crear la llave de acceso',
  passkeyFailed:
    'No se creó la llave de acceso. Quizá se canceló, o este dispositivo ya tiene una.',
  recovery: 'Códigos de recuperación',
  recoveryLeft_one: 'Queda {{count}} código.',
  recoveryLeft_many: 'Quedan {{count}} de códigos.',
  recoveryLeft_other: 'Quedan {{count}} códigos.',
  recoveryLead:
    'Cada uno reemplaza tu segundo factor una vez. Solo se muestran ahora: guárdalos fuera de ' +
    'tu teléfono.',
  newCodes: 'Nuevos códigos',
  newCodesTitle: '¿Crear nuevos códigos de recuperación?',
  newCodesLead: 'Todos los códigos anteriores dejan de servir de inmediato.',
  newCodesConfirm: 'Crear nuevos códigos',
  copyCodes: 'Copiar los códigos',
  saveFile: 'Guardar como archivo',
  savedThem: 'Ya los guardé',
  emailFactor: 'Códigos por correo',
  emailFactorLead:
    'Por seguridad, mantenlos desactivados: cualquiera con acceso a tu buzón podría iniciar ' +
    'sesión.',
  moneyFrozen:
    'Las conversiones y los retiros están en pausa, porque solo se verificó el buzón, hasta el',
  moneyFrozenSince:
    'El operador congeló las conversiones y los retiros. Soporte puede decirte más. Desde',
  sessions: 'Sesiones',
  endOthers: 'Cerrar las demás',
  unknownProgram: 'Programa desconocido',
  // How a session was signed in (RFC 8176).
  signInMethod: {
    pwd: 'Contraseña',
    fed: 'Otra cuenta o billetera',
    otp: 'Código de la app de autenticación',
    hwk: 'Llave de acceso',
    swk: 'Llave de acceso',
    email: 'Código por correo',
    recovery: 'Código de recuperación',
  },
  thisOne: 'Este dispositivo',
  end: 'Cerrar',
  endName: 'Cerrar {{program}}, {{ip}}, {{time}}',
  connections: 'Aplicaciones conectadas',
  noConnections: 'Ninguna aplicación tiene acceso',
  noConnectionsLead:
    'Aquí aparecen las aplicaciones a las que permites ver o hacer algo en tu nombre.',
  shutOut: 'Desconectar',
  shutOutTitle: '¿Desconectar {{name}}?',
  shutOutLead:
    'Pierde su acceso de inmediato. Para usarla otra vez, inicia sesión en ella y permítela de ' +
    'nuevo.',
  shutOutName: 'Desconectar {{name}}',
  events: 'Registro de seguridad',
  noEvents: 'Aún no ha ocurrido nada',
  export: 'Tus datos',
  exportLead: 'Todo lo que se guarda sobre ti, en un solo archivo.',
  exportButton: 'Descargar mis datos',
  close: 'Cerrar la cuenta',
  closeLead: 'No podrás volver a iniciar sesión. Esto no se puede deshacer.',
  closeButton: 'Cerrar mi cuenta…',
  closeTitle: '¿Cerrar tu cuenta definitivamente?',
  closeConsequences:
    'Se desconectan todas las sesiones y todos los dispositivos. Antes, pide al operador que te ' +
    'pague el saldo de tus billeteras.',
  closeAbandon: 'Renunciar a lo que queda en mis billeteras',
  closeInDebt: 'Cerrar la cuenta con deuda y renunciar a lo que queda en mis billeteras',
  closeConfirm: 'Cerrar la cuenta',
  proof: {
    noPassword:
      'Tu cuenta no tiene contraseña. Cierra sesión, inicia sesión de nuevo y haz este cambio ' +
      'poco después.',
    title: 'Confirma tu identidad',
    lead: 'Esto cambia la seguridad de tu cuenta.',
    continue: 'Continuar',
    expired: 'La confirmación venció o hubo demasiados intentos. Empieza de nuevo.',
  },
};
