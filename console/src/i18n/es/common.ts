import type { common as en } from '../en/common.ts';
import type { Translation } from '../texts.ts';

export const common: Translation<typeof en> = {
  theme: 'Apariencia',
  themeLight: 'Usar apariencia clara',
  themeDark: 'Usar apariencia oscura',
  language: 'Idioma',
  back: 'Atrás',
  tryAgain: 'Intentar de nuevo',
  loading: 'Cargando',
  required: 'Completa este campo.',
  trafficKind: { web: 'Páginas web', video: 'Videos', mail: 'Correo', games: 'Juegos' },
  problem: {
    unreachable: 'No se puede conectar con el servicio. Revisa tu conexión e intenta de nuevo.',
    unavailable: 'El servicio no puede responder ahora. Intenta de nuevo en un momento.',
    unavailable_for: 'El servicio no puede responder ahora. Intenta de nuevo en {{wait}}.',
    internal_error: 'El servicio falló. Intenta de nuevo en un momento.',
    rate_limited: 'Demasiados intentos. Espera un momento e intenta de nuevo.',
    rate_limited_for: 'Demasiados intentos. Intenta de nuevo en {{wait}}.',
    account_disabled: 'Esta cuenta está cerrada o bloqueada. Comunícate con soporte.',
    challenge_required: 'La comprobación no se completó. Intenta de nuevo.',
    invalid_code: 'Código incorrecto.',
    invalid_code_tries_one: 'Código incorrecto. Queda 1 intento.',
    invalid_code_tries_many: 'Código incorrecto. Quedan {{count}} de intentos.',
    invalid_code_tries_other: 'Código incorrecto. Quedan {{count}} intentos.',
    invalid_code_last: 'Código incorrecto, y no quedan intentos. Empieza de nuevo.',
    invalid_ticket: 'Este inicio de sesión venció o ya se usó. Empieza de nuevo.',
    invalid_credentials: 'Correo o contraseña incorrectos.',
    upstream_refused: 'El otro proveedor no confirmó el inicio de sesión. Intenta de nuevo.',
    upstream_unreachable:
      'No se puede conectar con el otro proveedor. Intenta de nuevo en un momento.',
    upstream_email_unverified:
      'El otro proveedor no ha verificado tu correo. Inicia sesión de otra forma y vincula la ' +
      'cuenta en Seguridad.',
    upstream_identity_taken: 'Esa cuenta ya está vinculada con otra cuenta de aquí.',
    linked_account_limit: 'Hay demasiadas cuentas vinculadas. Primero desvincula una en Seguridad.',
    wallet_unknown:
      'Ninguna cuenta tiene vinculada esta billetera. Inicia sesión de otra forma y vincúlala ' +
      'en Seguridad.',
    wallet_signature_invalid:
      'La firma no es de esta billetera. Una billetera de contrato inicia sesión en la cadena ' +
      'en la que se vinculó.',
    passkey_unknown:
      'Ninguna cuenta tiene esta llave de acceso: puede que se haya quitado. Inicia sesión con ' +
      'tu contraseña.',
    passkey_invalid:
      'No se aceptó la llave de acceso. Desbloquéala con PIN, huella o rostro e intenta de nuevo.',
    last_sign_in_method:
      'Ya no podrías iniciar sesión. Primero define una contraseña: cierra sesión y restablécela.',
    method_unavailable: 'Esta forma de iniciar sesión no está disponible para tu cuenta.',
    insufficient_scope: 'No tienes permiso para hacer esto aquí.',
    token_revoked: 'Se cerró tu sesión. Inicia sesión de nuevo.',
    invalid_flow: 'El inicio de sesión se interrumpió. Intenta de nuevo.',
    interaction_expired:
      'Esta solicitud de inicio de sesión venció. Empieza de nuevo desde la aplicación.',
    user_code_unknown:
      'Ningún dispositivo tiene este código. Revísalo o empieza de nuevo en el dispositivo.',
    account_not_empty:
      'Tus billeteras no están vacías. Convierte y retira el saldo, o elige renunciar a él.',
    money_frozen: 'Por ahora, las conversiones y los retiros están en pausa en tu cuenta.',
    insufficient_funds: 'No tienes saldo disponible suficiente.',
    invalid_token: 'Tu sesión terminó. Inicia sesión de nuevo.',
    unmet_authentication_requirements:
      'Esta aplicación exige iniciar sesión con una app de autenticación o una llave de acceso.',
    reauthentication_required:
      'Inicia sesión de nuevo: esto exige un inicio de sesión más reciente.',
    status_400: 'No se aceptó. Revisa lo que ingresaste.',
    status_404: 'Esto no existe, o ya no existe.',
    status_409: 'Esto no se puede hacer ahora. Recarga la página para ver qué cambió.',
    status_413: 'Es demasiado para una sola vez.',
  },
  fieldProblem: {
    any: {
      common_password: 'Esta contraseña es demasiado común. Elige otra.',
      guessable_password: 'La contraseña no debe ser tu nombre ni tu correo. Elige otra.',
      disposable: 'Es una dirección de correo temporal. Usa una que vayas a conservar.',
      not_an_email: 'No parece una dirección que pueda recibir correo.',
      not_positive: 'El monto debe ser mayor que cero.',
      too_small: 'El monto es demasiado pequeño para convertirlo.',
      too_many_decimals: 'El monto tiene más decimales que esta moneda.',
      not_a_decimal: 'Escribe el monto en cifras, con punto para los decimales.',
      too_large: 'Es demasiado grande.',
      too_long: 'Es demasiado largo.',
      length: 'Es demasiado corto o demasiado largo.',
      forbidden_character: 'No uses caracteres invisibles.',
      reserved_character:
        'No uses < > " \\ @ ni ://: los programas de correo los toman por una dirección.',
      unchanged: 'Este es el valor actual.',
    },
    referral_code: {
      unknown: 'Este código de referido no existe. Revísalo o deja el campo vacío.',
      maxLength: 'Los códigos de referido son más cortos. Revísalo o deja el campo vacío.',
    },
    nickname: {
      length: 'El apodo tiene de 1 a 40 caracteres.',
      minLength: 'El apodo tiene de 1 a 40 caracteres.',
      maxLength: 'El apodo tiene de 1 a 40 caracteres.',
    },
    support_url: {
      malformed_url:
        'Ingresa un enlace como https://example.com/ayuda o mailto:ayuda@example.com, sin nombre ' +
        'de usuario.',
    },
    name: { pattern: 'No uses caracteres invisibles.' },
    amount: {
      pattern: 'Escribe el monto en cifras, con punto para los decimales y sin comas, como 1234.5.',
    },
    min_deposit: {
      pattern: 'Escribe el monto en cifras, con punto para los decimales y sin comas, como 1234.5.',
    },
  },
  fieldKind: {
    required: 'Completa este campo.',
    minLength: 'Es demasiado corto.',
    maxLength: 'Es demasiado largo.',
    minItems: 'Son muy pocos.',
    maxItems: 'Son demasiados.',
    minimum: 'Es demasiado pequeño.',
    maximum: 'Es demasiado grande.',
    pattern: 'El formato no es correcto.',
    other: 'El valor no es correcto.',
  },
  named: '{{name}}: {{problem}}',
  labelled: '{{name}}: {{value}}',
  seconds_one: '{{count}} segundo',
  seconds_many: '{{count}} de segundos',
  seconds_other: '{{count}} segundos',
  minutes_one: '{{count}} minuto',
  minutes_many: '{{count}} de minutos',
  minutes_other: '{{count}} minutos',
  chart: {
    sum: 'Total del período',
    gap: ', ',
    pickDay: 'Elige un día',
    periodBefore: 'Período anterior',
    incomplete: 'hasta ahora',
    today: 'Hoy, hasta ahora',
  },
};
