/** The mark: three nodes of a network. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" fill="#0c7349" />
      <path
        d="M16 9.5 9.6 21M16 9.5 22.4 21M11 22.5h10"
        stroke="#fff"
        strokeOpacity=".55"
        strokeWidth="1.8"
      />
      <circle cx="16" cy="9" r="3.4" fill="#fff" />
      <circle cx="9.2" cy="22.2" r="2.7" fill="#a3dfc1" />
      <circle cx="22.8" cy="22.2" r="2.7" fill="#a3dfc1" />
    </svg>
  );
}
