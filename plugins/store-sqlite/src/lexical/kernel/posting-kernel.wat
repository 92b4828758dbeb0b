;; Reads posting lists as FTS5 stores them, at full speed from the first call: V8 interprets JavaScript until it has run for a while,
;; which is as long as a search takes. All parameters are addresses of the memory unless they say otherwise.
;;
;; A list is rows: how much higher a row is than the one before, twice the bytes of its places (one more for a row that was removed within
;; its segment), its places. Places are distances, two added; a 1 and a number go on in that column. Numbers have seven bits a byte, the
;; highest first. What a list cannot hold ends each function with -1.
(module
  (memory (export "memory") 8)

  ;; Goes over the rows of a list. Writes each with where its places begin and end, as three i32, unless `$into` is 0. `$restarts`: where
  ;; rows are counted from 0 again, with a 0 behind them. `$wanted`: these rows alone, in threes as they are written here, ascending, with
  ;; the highest i32 behind them; 0 for all. Returns the end of what is written, or else how many rows there are.
  (func (export "walk")
    (param $at i32) (param $to i32) (param $restarts i32) (param $wanted i32) (param $into i32) (param $intoEnd i32)
    (result i32)
    (local $byte i32)
    (local $value i32)
    (local $row i32)
    (local $last i32)
    (local $end i32)
    (local $count i32)
    (local.set $last (i32.const -1))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (if (i32.eq (local.get $at) (i32.load (local.get $restarts)))
          (then
            (local.set $restarts (i32.add (local.get $restarts) (i32.const 4)))
            (local.set $row (i32.const 0))))
        ;; how much higher the row is
        (local.set $value (i32.const 0))
        (loop $more
          (local.set $byte (i32.load8_u (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $value
            (i32.or (i32.shl (local.get $value) (i32.const 7)) (i32.and (local.get $byte) (i32.const 127))))
          (br_if $more (i32.gt_u (local.get $byte) (i32.const 127))))
        (local.set $row (i32.add (local.get $row) (local.get $value)))
        (if (i32.le_s (local.get $row) (local.get $last)) (then (return (i32.const -1))))
        (local.set $last (local.get $row))
        ;; the size of its places
        (local.set $value (i32.const 0))
        (loop $more
          (local.set $byte (i32.load8_u (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $value
            (i32.or (i32.shl (local.get $value) (i32.const 7)) (i32.and (local.get $byte) (i32.const 127))))
          (br_if $more (i32.gt_u (local.get $byte) (i32.const 127))))
        (if (i32.and (local.get $value) (i32.const 1)) (then (return (i32.const -1))))
        (local.set $end (i32.add (local.get $at) (i32.shr_u (local.get $value) (i32.const 1))))
        (block $unwanted
          (if (local.get $wanted)
            (then
              (block $reached
                (loop $behind
                  (br_if $reached (i32.ge_s (i32.load (local.get $wanted)) (local.get $row)))
                  (local.set $wanted (i32.add (local.get $wanted) (i32.const 12)))
                  (br $behind)))
              (br_if $unwanted (i32.ne (i32.load (local.get $wanted)) (local.get $row)))))
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (br_if $unwanted (i32.eqz (local.get $into)))
          (if (i32.ge_u (local.get $into) (local.get $intoEnd)) (then (return (i32.const -1))))
          (i32.store (local.get $into) (local.get $row))
          (i32.store offset=4 (local.get $into) (local.get $at))
          (i32.store offset=8 (local.get $into) (local.get $end))
          (local.set $into (i32.add (local.get $into) (i32.const 12))))
        (local.set $at (local.get $end))
        (br $next)))
    (if (i32.load (local.get $restarts)) (then (return (i32.const -1))))
    (if (i32.ne (local.get $at) (local.get $to)) (then (return (i32.const -1))))
    (select (local.get $into) (local.get $count) (local.get $into)))

  ;; Writes of each row, as `walk` has written it, its number, and as f64 how often the term stands there, each place counted as much as
  ;; its column weighs. `$weights`: f64 of four columns. Returns 0.
  (func (export "weigh")
    (param $found i32) (param $foundEnd i32) (param $weights i32) (param $rows i32) (param $frequencies i32)
    (result i32)
    (local $at i32)
    (local $end i32)
    (local $byte i32)
    (local $weight f64)
    (local $frequency f64)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $found) (local.get $foundEnd)))
        (i32.store (local.get $rows) (i32.load (local.get $found)))
        (local.set $at (i32.load offset=4 (local.get $found)))
        (local.set $end (i32.load offset=8 (local.get $found)))
        (local.set $weight (f64.load (local.get $weights)))
        (local.set $frequency (f64.const 0))
        (block $counted
          (loop $place
            (br_if $counted (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $byte (i32.load8_u (local.get $at)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (if (i32.eq (local.get $byte) (i32.const 1))
              (then
                (local.set $byte (i32.load8_u (local.get $at)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (if (i32.gt_u (local.get $byte) (i32.const 3)) (then (return (i32.const -1))))
                (local.set $weight
                  (f64.load (i32.add (local.get $weights) (i32.shl (local.get $byte) (i32.const 3))))))
              (else
                (local.set $frequency (f64.add (local.get $frequency) (local.get $weight)))
                (block $over
                  (loop $more
                    (br_if $over (i32.lt_u (local.get $byte) (i32.const 128)))
                    (local.set $byte (i32.load8_u (local.get $at)))
                    (local.set $at (i32.add (local.get $at) (i32.const 1)))
                    (br $more)))))
            (br $place)))
        (if (i32.ne (local.get $at) (local.get $end)) (then (return (i32.const -1))))
        (f64.store (local.get $frequencies) (local.get $frequency))
        (local.set $found (i32.add (local.get $found) (i32.const 12)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $frequencies (i32.add (local.get $frequencies) (i32.const 8)))
        (br $next)))
    (i32.const 0))

  ;; Writes the places of rows as i64 that ascend: 31 bits of the row, two of the column, 31 of the place less `$behind`, a number. Returns
  ;; the end of what is written.
  (func (export "places")
    (param $found i32) (param $foundEnd i32) (param $behind i32) (param $into i32)
    (result i32)
    (local $at i32)
    (local $end i32)
    (local $byte i32)
    (local $value i32)
    (local $row i64)
    (local $place i64)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $found) (local.get $foundEnd)))
        (local.set $at (i32.load offset=4 (local.get $found)))
        (local.set $end (i32.load offset=8 (local.get $found)))
        (local.set $row
          (i64.sub
            (i64.shl (i64.load32_u (local.get $found)) (i64.const 33))
            (i64.extend_i32_u (local.get $behind))))
        (local.set $place (local.get $row))
        (block $written
          (loop $step
            (br_if $written (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $value (i32.const 0))
            (loop $more
              (local.set $byte (i32.load8_u (local.get $at)))
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (local.set $value
                (i32.or (i32.shl (local.get $value) (i32.const 7)) (i32.and (local.get $byte) (i32.const 127))))
              (br_if $more (i32.gt_u (local.get $byte) (i32.const 127))))
            (if (i32.eq (local.get $value) (i32.const 1))
              (then
                (local.set $byte (i32.load8_u (local.get $at)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (if (i32.gt_u (local.get $byte) (i32.const 3)) (then (return (i32.const -1))))
                (local.set $place
                  (i64.add (local.get $row) (i64.shl (i64.extend_i32_u (local.get $byte)) (i64.const 31)))))
              (else
                (local.set $place
                  (i64.add (local.get $place) (i64.extend_i32_s (i32.sub (local.get $value) (i32.const 2)))))
                (i64.store (local.get $into) (local.get $place))
                (local.set $into (i32.add (local.get $into) (i32.const 8)))))
            (br $step)))
        (if (i32.ne (local.get $at) (local.get $end)) (then (return (i32.const -1))))
        (local.set $found (i32.add (local.get $found) (i32.const 12)))
        (br $next)))
    (local.get $into))

  ;; Keeps of some places those that are among others too, where they begin. Returns their end.
  (func (export "common")
    (param $places i32) (param $placesEnd i32) (param $others i32) (param $othersEnd i32)
    (result i32)
    (local $kept i32)
    (local $place i64)
    (local $other i64)
    (local.set $kept (local.get $places))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $places) (local.get $placesEnd)))
        (br_if $done (i32.ge_u (local.get $others) (local.get $othersEnd)))
        (local.set $place (i64.load (local.get $places)))
        (local.set $other (i64.load (local.get $others)))
        (if (i64.eq (local.get $place) (local.get $other))
          (then
            (i64.store (local.get $kept) (local.get $place))
            (local.set $kept (i32.add (local.get $kept) (i32.const 8)))))
        (if (i64.le_u (local.get $place) (local.get $other))
          (then (local.set $places (i32.add (local.get $places) (i32.const 8)))))
        (if (i64.ge_u (local.get $place) (local.get $other))
          (then (local.set $others (i32.add (local.get $others) (i32.const 8)))))
        (br $next)))
    (local.get $kept))

  ;; Writes the rows of places, each once, and how many there are in each, weighed as `weigh` does. Returns how many rows there are.
  (func (export "tally")
    (param $places i32) (param $placesEnd i32) (param $weights i32) (param $rows i32) (param $frequencies i32)
    (result i32)
    (local $count i32)
    (local $place i64)
    (local $row i32)
    (local $last i32)
    (local.set $last (i32.const -1))
    (local.set $frequencies (i32.sub (local.get $frequencies) (i32.const 8)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $places) (local.get $placesEnd)))
        (local.set $place (i64.load (local.get $places)))
        (local.set $row (i32.wrap_i64 (i64.shr_u (local.get $place) (i64.const 33))))
        (if (i32.ne (local.get $row) (local.get $last))
          (then
            (local.set $last (local.get $row))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            (i32.store (local.get $rows) (local.get $row))
            (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
            (local.set $frequencies (i32.add (local.get $frequencies) (i32.const 8)))
            (f64.store (local.get $frequencies) (f64.const 0))))
        (f64.store (local.get $frequencies)
          (f64.add
            (f64.load (local.get $frequencies))
            (f64.load
              (i32.add
                (local.get $weights)
                (i32.wrap_i64
                  (i64.and (i64.shr_u (local.get $place) (i64.const 28)) (i64.const 24)))))))
        (local.set $places (i32.add (local.get $places) (i32.const 8)))
        (br $next)))
    (local.get $count))
)
