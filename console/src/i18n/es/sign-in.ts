import type { signIn as en } from '../en/sign-in.ts';
import type { Translation } from '../texts.ts';

export { common } from './common.ts';

export const signIn: Translation<typeof en> = {
  title: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  showPassword: 'Mostrar u ocultar la contraseña',
  submit: 'Iniciar sesión',
  forgot: '¿Olvidaste tu contraseña?',
  noAccount: '¿Aún no tienes cuenta?',
  createAccount: 'Crear cuenta',
  haveAccount: '¿Ya tienes una cuenta?',
  emailInvalid: 'No parece una dirección de correo.',
  missingInteraction:
    'Esta página se abrió sin una solicitud de inicio de sesión. Empieza de nuevo desde la ' +
    'aplicación.',
  overTitle: 'Esta solicitud ya no es válida',
  overLead: 'Venció o ya se respondió. Vuelve a la aplicación e inicia sesión de nuevo.',
  help: 'Ayuda',
  goHome: 'Abrir tu cuenta',
  invitation: {
    title: '{{name}} te invita',
    paying: 'Gana recompensas por el ancho de banda que no usas.',
    referral:
      'Gana recompensas por el ancho de banda que no usas. Quien te invita recibe un bono que no ' +
      'se resta de las tuyas.',
    notPaying:
      'Comparte el ancho de banda que no usas. Esta red aún no ha empezado a pagar recompensas.',
    unknown: 'El código de este enlace no existe. Puedes crear la cuenta sin él.',
  },
  passkey: {
    button: 'Continuar con una llave de acceso',
    or: 'o con tu contraseña',
    declined: 'No se eligió ninguna llave de acceso. Intenta de nuevo o usa tu contraseña.',
  },
  wallet: {
    or: 'o con una billetera',
    continueWith: 'Continuar con {{name}}',
    declined: 'La billetera no firmó. No se cambió nada.',
  },
  upstream: {
    or: 'o',
    continueWith: 'Continuar con {{label}}',
    cancelled: 'No se completó el inicio de sesión con el otro proveedor.',
    registerLead: 'Para {{email}}. Enviaremos un código a esta dirección.',
  },
  register: {
    title: 'Crea tu cuenta',
    nickname: 'Apodo',
    nicknameHint: 'Lo ve la persona que te invitó.',
    passwordHint:
      'Al menos {{count}} caracteres. Tres o cuatro palabras sin relación son fáciles de recordar.',
    passwordShort: 'Usa al menos {{count}} caracteres.',
    referral: 'Código de referido',
    referralHint: 'Opcional. No se puede agregar después.',
    submit: 'Crear cuenta',
    verifyTitle: 'Confirma tu correo',
    resend: 'Enviar otro código',
    otherAddress: 'Cambiar la dirección',
    lastTry: 'Código incorrecto, y no quedan intentos. Pide otro código.',
    verifyLead: 'Enviamos un código de seis dígitos a {{email}}.',
    done: 'Tu correo está confirmado. Inicia sesión con tu nueva contraseña.',
    reloaded:
      'La página se recargó y tu contraseña no se guarda. Ingrésala de nuevo para recibir otro ' +
      'código.',
    expired: 'El código venció o hubo demasiados intentos. Crea la cuenta de nuevo.',
    madePerhaps:
      'La conexión se interrumpió. Inicia sesión con tu contraseña o crea la cuenta de nuevo.',
  },
  factor: {
    title: 'Un paso más',
    emailLead: 'Ingresa el código de seis dígitos que enviamos a {{email}}.',
    authenticatorLead: 'Ingresa el código de seis dígitos que muestra tu app de autenticación.',
    recoveryLead:
      'Ingresa uno de los códigos de recuperación que guardaste. Cada uno sirve una vez.',
    passkeyLead: 'Confirma con tu huella, tu rostro o el bloqueo de este dispositivo.',
    code: 'Código',
    recoveryCode: 'Código de recuperación',
    verify: 'Verificar',
    resend: 'Enviar otro código',
    resent: 'Enviado. Puede tardar un minuto en llegar.',
    usePasskey: 'Usar una llave de acceso',
    useEmail: 'Recibir un código por correo',
    useAuthenticator: 'Usar la app de autenticación',
    useRecovery: 'Usar un código de recuperación',
    passkeyFailed: 'No se aceptó la llave de acceso. Intenta de nuevo o elige otra forma.',
    codeInvalid: 'El código tiene seis dígitos.',
    codeOnce: 'Cada código sirve una vez: si acabas de usarlo, espera el siguiente.',
    recoveryInvalid: 'Un código de recuperación tiene doce letras y dígitos, como ABCD-EFGH-2345.',
  },
  challenge: {
    working: 'Comprobando que no eres un programa…',
    widget: 'Confirma que no eres un programa.',
  },
  reset: {
    title: 'Restablece tu contraseña',
    lead: 'Ingresa tu correo. Si hay una cuenta, le enviamos un código.',
    submit: 'Enviar código',
    newTitle: 'Elige una nueva contraseña',
    newPassword: 'Nueva contraseña',
    save: 'Guardar nueva contraseña',
    secondFactorHint:
      'Si tu cuenta tiene una app de autenticación o una llave de acceso, se pide en el ' +
      'siguiente paso.',
    otherPassword: 'Elegir otra contraseña',
    expired: 'El código venció o hubo demasiados intentos. Pide otro.',
    done: 'Tu contraseña cambió. Inicia sesión con la nueva.',
  },
  consent: {
    title: '{{client}} pide acceso',
    lead: 'Iniciaste sesión como {{email}}. Si lo permites, {{client}} podrá:',
    nothing: '{{client}} solo quiere saber quién eres.',
    categories: 'Tipos de tráfico que permites',
    revocable: 'Puedes retirar este permiso en cualquier momento en Seguridad.',
    allow: 'Permitir',
    deny: 'Rechazar',
    leaving: 'Volviendo a {{client}}…',
    policy: 'Política de privacidad',
    terms: 'Términos del servicio',
    theApplication: 'la aplicación',
    notYou: 'Usar otra cuenta',
    leadsTo: 'Después irás a {{host}}.',
    leadsBack: 'Después volverás al programa en este dispositivo.',
  },
  scope: {
    openid: 'Ver el identificador de tu cuenta',
    profile: 'Ver tu apodo',
    email: 'Ver tu correo electrónico',
    groups: 'Ver los grupos que te asignó el operador',
    roles: 'Ver tus roles en esta aplicación',
    offline_access: 'Conservar el acceso mientras no estás, hasta que la desconectes',
    account_read: 'Ver tus saldos, movimientos y depósitos',
    wallet_write: 'Convertir recompensas en tu billetera',
    devices_read: 'Ver tus dispositivos y su estado',
    devices_write: 'Renombrar, desconectar y eliminar tus dispositivos',
    community_read: 'Ver a las personas que invitaste',
    community_write: 'Editar tus notas sobre las personas que invitaste',
    dashboard_read: 'Ver tus ganancias',
    device_connect: 'Conectar este dispositivo a la red en tu nombre',
    identity_manage: 'Cambiar tus formas de iniciar sesión y tu perfil',
  },
};
