/** Line icons of 24 units, drawn here so that no icon library is loaded. */
const PATHS = {
  sun:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2M12 19.5v2M4.6 4.6 6 6M18 18l1.4 1.4' +
    'M2.5 12h2M19.5 12h2M4.6 19.4 6 18M18 6l1.4-1.4',
  moon: 'M20 14.5A8.2 8.2 0 0 1 9.5 4a8.2 8.2 0 1 0 10.5 10.5Z',
  home: 'M4 11.2 12 4.5l8 6.7M6.2 9.6V19h11.6V9.6M10 19v-5h4v5',
  wallet:
    'M4 7.5A2.5 2.5 0 0 1 6.5 5H17v3' +
    'M4 7.5V17a2.5 2.5 0 0 0 2.5 2.5H20V8H6.5A2.5 2.5 0 0 1 4 7.5ZM16.5 13.7h.01',
  device:
    'M6 4.5h12a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5' +
    'H6A1.5 1.5 0 0 1 4.5 14V6A1.5 1.5 0 0 1 6 4.5Z' +
    'M9 19.5h6M12 15.5v4M12 10h.01',
  people:
    'M9 11.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4Z' +
    'M3.5 19c.5-3 2.7-4.6 5.5-4.6s5 1.6 5.5 4.6M16 5.6a3 3 0 0 1 0 5.6' +
    'M17.5 14.7c1.7.6 2.8 2 3.1 4.3',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6l-7-2.5ZM9.2 12l2 2 3.6-4',
  arrowDown: 'M12 5v14M6.5 13.5 12 19l5.5-5.5',
  arrowUp: 'M12 19V5M6.5 10.5 12 5l5.5 5.5',
  swap: 'M7 4.5 3.5 8 7 11.5M3.5 8H17M17 12.5l3.5 3.5-3.5 3.5M20.5 16H7',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h10.5v10.5H9ZM5 15H4.5V4.5H15V5',
  check: 'M5 12.5 10 17.5 19.5 7',
  download: 'M12 4v11M7 10.5 12 15.5l5-5M4.5 19.5h15',
  share: 'M12 14.5V4M8 7.5 12 3.7l4 3.8M6 11H4.5v9.5h15V11H18',
  search: 'M10.8 17a6.2 6.2 0 1 0 0-12.4 6.2 6.2 0 0 0 0 12.4ZM15.4 15.4 20 20',
  filter: 'M4 6.5h16M7 12h10M10 17.5h4',
  pencil: 'M4.5 19.5 5.5 15 16 4.5l3.5 3.5L9 18.5l-4.5 1ZM14 6.5 17.5 10',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 12.5h9l1-12.5M10.2 11v5M13.8 11v5',
  unplug:
    'M14.5 9.5 19 5M9.5 14.5 5 19M8 8 16 16M7.5 11.5l5 5a3.5 3.5 0 0 1-5-5Z' +
    'M11.5 7.5l5 5a3.5 3.5 0 0 0-5-5Z',
  chevron: 'M9 5.5 15.5 12 9 18.5',
  close: 'M6 6l12 12M18 6 6 18',
  key:
    'M14.5 12.5a4.2 4.2 0 1 0-4-3L4 16v4h4v-2.5h2.5V15l1.8-1.8c.7.2 1.5.1 2.2-.7Z' +
    'M15.8 8.3h.01',
  gauge: 'M4.5 17.5a8.5 8.5 0 1 1 15 0M12 14l4-4.5M12 14.5h.01',
  external: 'M13.5 4.5h6v6M19.5 4.5 11 13M17 14v5.5H4.5V7H10',
  mail: 'M4 6h16v12H4ZM4.5 6.5 12 13l7.5-6.5',
  eye:
    'M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12Z' +
    'M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  eyeOff:
    'M4 4l16 16M9.9 6A9.6 9.6 0 0 1 12 5.8c6 0 9.5 6.2 9.5 6.2a17 17 0 0 1-3 3.7' +
    'M6.2 7.9A16.6 16.6 0 0 0 2.5 12S6 18.2 12 18.2a9.3 9.3 0 0 0 4-.9' +
    'M9.9 10.1a2.8 2.8 0 0 0 4 4',
  out: 'M14 4.5H5v15h9M10 12h10M16.5 8.5 20 12l-3.5 3.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
