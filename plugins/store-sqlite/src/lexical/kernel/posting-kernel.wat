;; Reads posting lists as FTS5 stores them, at full speed from the first call. (V8 interprets JavaScript until it has run for a while, which
;; is as long as a search takes.) All parameters are addresses in the memory unless stated otherwise.
;;
;; A list is a sequence of rows. Each row has the difference from the previous row, twice the number of bytes of its positions (plus one for
;; a row that was removed within its segment), and its positions. A position is stored as the difference from the previous one plus two; a 1
;; and a number switch to that column. Numbers are stored with seven bits a byte, most significant first. For a malformed list, each
;; function returns -1.
(module
  (memory (export "memory") 8)

  ;; Iterates over the rows of a list. Unless `$into` is 0, writes each row with the start and the end of its positions, as three i32.
  ;; `$restarts`: the addresses at which rows are counted from 0 again, terminated by a 0. `$wanted`: only these rows, in the format that
  ;; this function writes, ascending, terminated by the largest i32; 0 for all rows. Returns the end of the output, or the number of rows if
  ;; `$into` is 0.
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
        ;; the difference from the previous row
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
        ;; the size of its positions
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

  ;; Writes the number of each row in the output of `walk`, and as f64 its frequency: the sum of the column weights of its positions.
  ;; `$weights`: f64 for each of four columns. Returns 0.
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

  ;; Writes the positions of the rows in the output of `walk` as ascending i64: 31 bits for the row, two for the column, 31 for the position
  ;; minus `$behind`, which is a number. Returns the end of the output.
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

  ;; Intersects positions with others, in place. Returns the end of the remaining ones.
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

  ;; Writes each row of the positions once, with its frequency, weighted like in `weigh`. Returns the number of rows.
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
