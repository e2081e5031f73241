import type { Texts } from './types.ts';

const IGNORE = 'Si no fuiste tú, puedes ignorar este correo: sin el código no ocurre nada.';
const ALARM = 'Si no fuiste tú, cierra todas las sesiones y cambia tu contraseña ahora.';
const ONCE = 'Sirve una sola vez, durante {minutes} minutos.';

export const es: Texts = {
  tag: 'es-419',
  direction: 'ltr',
  greeting: 'Hola, {nickname}:',
  greetingWithoutName: 'Hola:',
  hiddenName: 'sin un nombre que mostrar',
  mails: {
    registration: {
      subject: 'Tu código para registrarte',
      paragraphs: [
        'Hola:',
        'Te damos la bienvenida. Este código demuestra que la dirección es tuya:',
        '{code}',
        ONCE,
        IGNORE,
      ],
    },
    addressTaken: {
      subject: 'Ya tienes una cuenta',
      paragraphs: [
        'Hola:',
        'Hubo un intento, probablemente tuyo, de registrarse con esta dirección. Ya tienes una ' +
          'cuenta: inicia sesión o restablece tu contraseña si la olvidaste.',
        'Si no fuiste tú, no tienes que hacer nada. No se reveló que la cuenta existe.',
      ],
    },
    signIn: {
      subject: 'Tu código para iniciar sesión',
      paragraphs: [
        '{greeting}',
        'Este es tu código para iniciar sesión:',
        '{code}',
        `${ONCE} No lo compartas con nadie.`,
        'Si no fuiste tú, alguien más conoce tu contraseña: cámbiala ahora.',
      ],
    },
    reauthentication: {
      subject: 'Tu código para confirmar un cambio',
      paragraphs: [
        '{greeting}',
        'Estás por cambiar la seguridad de tu cuenta. Este código confirma que eres tú:',
        '{code}',
        ONCE,
        ALARM,
      ],
    },
    reset: {
      subject: 'Tu código para restablecer la contraseña',
      paragraphs: [
        '{greeting}',
        'Con este código puedes elegir una nueva contraseña:',
        '{code}',
        ONCE,
        IGNORE,
      ],
    },
    emailChange: {
      subject: 'Tu código para cambiar de dirección',
      paragraphs: [
        '{greeting}',
        'Pediste cambiar la dirección de tu cuenta a {email}. Este código verifica este buzón:',
        '{code}',
        'Sirve una sola vez, durante {minutes} minutos, junto con el código que se envió a la ' +
          'otra dirección.',
        ALARM,
      ],
    },
    passwordNeeded: {
      subject: 'Elige una nueva contraseña',
      paragraphs: [
        '{greeting}',
        'Hubo un intento, probablemente tuyo, de iniciar sesión. Tu cuenta se trasladó a este ' +
          'servicio, y su contraseña no se pudo trasladar con ella.',
        'Abre la página de inicio de sesión, elige restablecer la contraseña y define una nueva. ' +
          'Tu saldo, tus dispositivos y tus referidos ya están ahí.',
        'Si no fuiste tú, no tienes que hacer nada.',
      ],
    },
    notice: {
      subject: 'Tu cuenta: {what}',
      paragraphs: ['{greeting}', 'Esto ocurrió en tu cuenta: {what}.', '{closing}'],
    },
  },
  closings: {
    ownChange:
      'Si fuiste tú, no tienes que hacer nada. Si no, restablece tu contraseña ahora y revisa ' +
      'tus sesiones y el registro de seguridad.',
    lostAddress:
      'Si fuiste tú, no tienes que hacer nada. Si no, contacta ahora al operador de la red: con ' +
      'esta dirección ya no se puede restablecer tu contraseña.',
    closed: 'Si fuiste tú, no tienes que hacer nada. Si no, contacta ahora al operador de la red.',
    reset:
      'Si se lo pediste al operador, inicia sesión y configura un nuevo segundo factor. Si no, ' +
      'restablece tu contraseña ahora y contacta al operador de la red.',
    frozen:
      'El motivo está en el registro de seguridad de tu cuenta. Si tienes preguntas, contacta al ' +
      'operador de la red.',
    released: 'No tienes que hacer nada.',
  },
  notices: {
    authenticatorAdded: 'se agregó una app de autenticación como segundo factor',
    authenticatorRemoved: 'se quitó tu app de autenticación',
    passkeyAdded: 'se agregó una llave de acceso ({name}) como segundo factor',
    passkeyRemoved: 'se quitó la llave de acceso {name}',
    upstreamLinked: 'ahora se puede iniciar sesión con tu cuenta de {provider}',
    upstreamLinkedAndFrozen:
      'ahora se puede iniciar sesión con tu cuenta de {provider}. Las conversiones y los retiros ' +
      'esperan 24 horas',
    upstreamUnlinked: 'ya no se puede iniciar sesión con tu cuenta de {provider}',
    recoveryCodesMade: 'se generaron nuevos códigos de recuperación',
    emailFactorOn: 'se activaron los códigos por correo como segundo factor',
    emailFactorOff: 'se desactivaron los códigos por correo como segundo factor',
    passwordChanged: 'se cambió tu contraseña',
    passwordReset: 'se restableció tu contraseña',
    passwordResetAndFrozen:
      'se restableció tu contraseña. Las conversiones y los retiros esperan 24 horas',
    emailChanged: 'tu dirección cambió a {email}',
    emailIsYours: 'ahora esta es tu dirección',
    secondFactorsReset:
      'el operador quitó tus segundos factores y todas las sesiones terminaron. Las ' +
      'conversiones y los retiros esperan 24 horas',
    moneyFrozen:
      'el operador congeló tu dinero. Las conversiones y los retiros esperan hasta que lo ' +
      'libere; las recompensas y los depósitos siguen llegando',
    moneyReleased:
      'el operador liberó tu dinero. Las conversiones y los retiros vuelven a ser posibles',
    accountClosed: 'se cerró tu cuenta',
    dataExported: 'se solicitó un archivo con todos tus datos',
    payoutAddressAdded:
      'se agregó la dirección de retiro {address}. Se podrá retirar a ella después de 24 horas',
    payoutRequested: 'se solicitó un retiro de {amount} a {address}',
  },
  digest: {
    subject: '{count} notificaciones',
    more: 'Y {count} más.',
    open: 'Todas las notificaciones, y cómo elegirlas:',
    stop: 'Dejar de recibir estos correos:',
    unknown: 'Pasó algo en tu cuenta',
    device: 'Un dispositivo',
    messages: {
      device_offline: '{name} está sin conexión',
      devices_offline: '{count} dispositivos están sin conexión',
      deposit_credited: 'Se acreditó un depósito de {amount} {currency}',
      deposit_below_minimum: 'Un depósito de {amount} {currency} no alcanza el mínimo',
      deposit_on_hold: 'Un depósito de {amount} {currency} está retenido',
      deposit_reversed: 'Se revirtió un depósito de {amount} {currency}',
      deposit_rejected: 'El operador rechazó un depósito de {amount} {currency}',
      deposit_unsupported: 'Un depósito no se acreditó: su token no se admite',
      payout_confirmed: 'Tu retiro de {amount} {currency} llegó',
      payout_rejected: 'Tu retiro de {amount} {currency} se rechazó',
      payout_failed: 'Tu retiro de {amount} {currency} falló',
      sign_in:
        'Inicio de sesión desde una dirección IP nueva. Si no fuiste tú, cambia tu contraseña',
      reward_day: 'Ganaste {amount} {currency} el {day} (UTC)',
    },
  },
  unsubscribePage: {
    title: '¿Dejar de recibir notificaciones por correo?',
    asks:
      'Ya no recibirás notificaciones por correo. Los correos sobre la seguridad de tu cuenta ' +
      'continúan.',
    button: 'Dejar de recibir estos correos',
    doneTitle: 'Ya no recibirás estos correos',
    done: 'Los correos sobre la seguridad de tu cuenta se siguen enviando.',
    invalid: 'Este enlace ya no es válido.',
    home: 'Elige tus notificaciones',
  },
  logoutPage: {
    title: '¿Cerrar sesión?',
    asks: '{client} pide que cierres sesión.',
    someone: 'Una aplicación pide que cierres sesión.',
    all: 'Cerrar la sesión de tu cuenta',
    allMeans:
      'Esto termina tu sesión en este navegador y en todas las aplicaciones que se abrieron con ' +
      'ella.',
    one: 'Mantener la sesión de tu cuenta',
    doneTitle: 'Cerraste sesión',
    done: 'Puedes cerrar esta ventana.',
    stayedTitle: 'La sesión de tu cuenta sigue abierta',
    home: 'Ir a tu cuenta',
  },
  errorPage: {
    title: 'No se puede responder a la solicitud',
    invalidRequest:
      'La aplicación envió una solicitud que no es válida, o el enlace es demasiado antiguo. No ' +
      'pasó nada en tu cuenta.',
    busy: 'El servicio no puede responder ahora. No pasó nada en tu cuenta.',
    nextStep:
      'Vuelve a la aplicación y empieza de nuevo. Si vuelve a detenerse aquí, comunica a quienes ' +
      'hacen la aplicación lo que aparece abajo.',
    reason: 'Motivo técnico:',
    home: 'Ir a tu cuenta',
  },
  statement: {
    title: 'Estado de cuenta mensual',
    holder: 'Titular',
    email: 'Correo electrónico',
    account: 'Número de cuenta',
    period: 'Período',
    madeAt: 'Generado',
    soFar: 'El mes no ha terminado: movimientos hasta este momento.',
    utc: 'Todos los días y horas son UTC. Los saldos incluyen lo retenido.',
    page: 'Página {n}',
    summary: 'Resumen',
    end: 'Fin del estado de cuenta',
    earned: 'Ganado',
    wallets: { asset: 'Billetera de activos', bonus: 'Billetera de recompensas' },
    currency: 'Moneda',
    opening: 'Saldo inicial',
    incoming: 'Entradas',
    outgoing: 'Salidas',
    closing: 'Saldo final',
    none: 'No hay movimientos en este mes.',
    recorded: 'Registrado',
    type: 'Tipo',
    amount: 'Monto',
    balanceAfter: 'Saldo posterior',
    types: {
      deposit: 'Depósito',
      deposit_reversal: 'Depósito revertido',
      withdrawal: 'Retiro',
      withdrawal_refund: 'Retiro devuelto',
      withdrawal_fee: 'Comisión de retiro',
      package_purchase: 'Compra de paquete',
      package_refund: 'Reembolso de paquete',
      reward: 'Recompensa',
      referral_reward: 'Recompensa por referido',
      conversion_in: 'Conversión recibida',
      conversion_out: 'Conversión entregada',
      adjustment: 'Ajuste',
      opening_balance: 'Saldo inicial',
    },
    rewards: {
      UPTIME: 'Tiempo en línea',
      TRAFFIC: 'Tráfico',
      TASK: 'Tarea',
      REFERRAL: 'Referido',
      BONUS: 'Bono',
      PENALTY: 'Penalización',
      ADJUSTMENT: 'Ajuste',
    },
  },
};
