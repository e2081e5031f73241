-- Brand: what people know the network by, as operators set it (ADR 0121).

-- Images of the brand, as they were uploaded.
create table brand_logo (
  -- SHA-256 in hexadecimal: the address of the image at this service.
  hash text constraint brand_logo_pkey primary key,
  media_type text not null,
  image bytea not null,
  width int not null,
  height int not null,
  constraint brand_logo_media_type_check
    check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint brand_logo_image_check check (octet_length(image) between 1 and 65536),
  constraint brand_logo_size_check check (width between 1 and 1024 and height between 1 and 1024)
);

-- One row, once an operator has set something. What is null stays as the configuration has it.
create table brand (
  is_only boolean default true constraint brand_pkey primary key
    constraint brand_is_only_check check (is_only),
  name text,
  -- sRGB, `#rrggbb` in lower case.
  accent text constraint brand_accent_check check (accent ~ '^#[0-9a-f]{6}$'),
  logo_hash text constraint brand_logo_fkey references brand_logo (hash),
  dark_logo_hash text constraint brand_dark_logo_fkey references brand_logo (hash),
  support_url text constraint brand_support_url_check check (support_url ~ '^(https://|mailto:)'),
  -- By language.
  sign_in_texts jsonb not null,
  mail_footers jsonb not null,
  mail_sender_name text,
  mail_sender_address text,
  updated_at timestamptz not null
);

create trigger brand_audited after insert or update or delete on brand for each row
  execute function record_change('brand', '', '', 'is_only,updated_at', '');

-- The language of a mail: name and footer of the brand are added when it is sent. Null: a mail of
-- an earlier version, which has its name already.
alter table mail add column language text;
